import Logging
import MediaCore
import Testing

@testable import PackagerConfig

@Suite struct ConfigurationLoadTests {
    @Test func aFeedIsAllThatIsNeeded() throws {
        let configuration = try Configuration.load(flags: ["input": ["udp://239.0.0.1:5000"]])
        #expect(
            configuration
                == Configuration(
                    listen: ListenAddress(host: "127.0.0.1", port: 8080),
                    control: ListenAddress(host: "127.0.0.1", port: 8081),
                    logLevel: .info,
                    channels: [
                        ChannelConfiguration(
                            name: "live",
                            inputs: [FeedLocation("udp://239.0.0.1:5000")],
                            backups: [],
                            audio: [],
                            audioTranscoding: .automatic,
                            text: .init(captions: []),
                            format: .fmp4,
                            segmentDuration: MediaTime(seconds: 4),
                            window: MediaTime(seconds: 60),
                            maximumMemory: 1 << 30,
                            encryption: .none,
                            encryptsInitialization: false,
                            keys: .init(rotation: .zero, lateKey: .hold),
                            faults: .init(
                                frozenAfter: .zero,
                                silentAfter: .zero,
                                failback: MediaTime(seconds: 30),
                                onLoss: .gap,
                                slate: nil,
                                staleAfter: .zero,
                                failOn: []
                            ),
                            clock: .arrival,
                            timecodeOffset: .zero,
                            isLooping: false,
                            isRealtime: true,
                            output: nil,
                            state: nil
                        )
                    ]
                )
        )
    }

    @Test func everyFlagIsUnderstood() throws {
        let flags = [
            "listen": ["[::1]:0"], "control": ["127.0.0.1:9000"], "backup": ["c.ts"], "failback": ["12.5"],
            "on-loss": ["slate"], "slate": ["/slate.ts"], "frozen-after": ["5"], "silent-after": ["6"],
            "stale-after": ["8"], "fail-on": ["stale,incomplete", "no-key"], "peer": ["http://10.0.0.2:8080/"],
            "log-level": ["debug"], "name": ["News.1"], "input": ["a.ts", "b.ts"],
            "format": ["ts"], "program": ["101"], "audio-transcode": ["all"],
            "segment-duration": ["3.84"], "window": ["120"], "maximum-memory": ["512M"], "encryption": ["sample-aes"],
            "key-rotation": ["38.4"], "key-secret": ["/k"], "late-key": ["fail"], "clock": ["timecode"],
            "timecode-offset": ["-03:30"],
            "loop": [], "no-realtime": [], "output": ["/o"], "state": ["/s"],
        ]
        let configuration = try Configuration.load(flags: flags)
        #expect(
            configuration
                == Configuration(
                    listen: ListenAddress(host: "::1", port: 0),
                    control: ListenAddress(host: "127.0.0.1", port: 9000),
                    logLevel: .debug,
                    channels: [
                        ChannelConfiguration(
                            name: "News.1",
                            inputs: [FeedLocation("a.ts"), FeedLocation("b.ts")],
                            backups: [FeedLocation("c.ts")],
                            programs: [101],
                            audio: [],
                            audioTranscoding: .all,
                            text: .init(captions: []),
                            format: .ts,
                            segmentDuration: MediaTime(milliseconds: 3840),
                            window: MediaTime(seconds: 120),
                            maximumMemory: 512 << 20,
                            encryption: .sampleAES,
                            encryptsInitialization: false,
                            keys: .init(
                                secretFile: "/k",
                                rotation: MediaTime(milliseconds: 38_400),
                                lateKey: .fail
                            ),
                            faults: .init(
                                frozenAfter: MediaTime(seconds: 5),
                                silentAfter: MediaTime(seconds: 6),
                                failback: MediaTime(milliseconds: 12_500),
                                onLoss: .slate,
                                slate: "/slate.ts",
                                staleAfter: MediaTime(seconds: 8),
                                failOn: [.stale, .incomplete, .noKey]
                            ),
                            clock: .timecode,
                            timecodeOffset: MediaTime(seconds: -12_600),
                            isLooping: true,
                            isRealtime: false,
                            output: "/o",
                            state: "/s",
                            peer: "http://10.0.0.2:8080"
                        )
                    ]
                )
        )
    }

    @Test func everyVariableIsUnderstood() throws {
        let environment = [
            "PACKAGER_LISTEN": "0.0.0.0:80", "PACKAGER_LOG_LEVEL": "error", "PACKAGER_NAME": "n",
            "PACKAGER_INPUT": "a b.ts\nc.ts\n", "PACKAGER_FORMAT": "fmp4", "PACKAGER_SEGMENT_DURATION": "2",
            "PACKAGER_WINDOW": "30", "PACKAGER_MAXIMUM_MEMORY": "33554432", "PACKAGER_ENCRYPTION": "aes-128",
            "PACKAGER_KEY_ROTATION": "60", "PACKAGER_KEY_SECRET": "", "PACKAGER_CLOCK": "pts", "PACKAGER_LOOP": "yes",
            "PACKAGER_REALTIME": "no", "PACKAGER_OUTPUT": "/o", "PACKAGER_STATE": "/s", "HOME": "/root",
        ]
        let configuration = try Configuration.load(environment: environment)
        let channel = try #require(configuration.channels.first)
        #expect(configuration.listen == ListenAddress(host: "0.0.0.0", port: 80))
        #expect(configuration.logLevel == .error)
        #expect(configuration.warnings.isEmpty)
        #expect(channel.name == "n")
        #expect(channel.inputs == [FeedLocation("a b.ts"), FeedLocation("c.ts")])
        #expect(channel.segmentDuration == MediaTime(seconds: 2))
        #expect(channel.window == MediaTime(seconds: 30))
        #expect(channel.maximumMemory == 32 << 20)
        #expect(channel.encryption == .aes128)
        #expect(channel.slotsPerPeriod == 30)
        #expect(channel.keySecret == .createdFile("/s/master.key"))
        #expect(channel.clock == .pts)
        #expect(channel.isLooping)
        #expect(!channel.isRealtime)
        #expect(channel.output == "/o")
    }

    private static let file = """
        window: 40
        channels:
          - name: one
            input: a.ts
            window: 41
          - name: two
            input: [b.ts, c.ts]
            audio:
              - { language: en, name: English }
              - { language: pt-BR }
        """

    private func windows(flags: [String: [String]], environment: [String: String]) throws -> [Int64] {
        let file = ConfigurationFile(name: "packager.yaml", text: Self.file)
        let configuration = try Configuration.load(flags: flags, environment: environment, file: file)
        return configuration.channels.map { $0.window.milliseconds / 1000 }
    }

    @Test func flagsWinOverEnvironmentOverChannelOverTopLevelOverDefault() throws {
        #expect(try windows(flags: [:], environment: [:]) == [41, 40])
        #expect(try windows(flags: [:], environment: ["PACKAGER_WINDOW": "42"]) == [42, 42])
        #expect(try windows(flags: ["window": ["43"]], environment: ["PACKAGER_WINDOW": "42"]) == [43, 43])
    }

    @Test func channelsOfAFileHaveTheirOwnSettings() throws {
        let channels = try load(Self.file).channels
        #expect(channels.map(\.name) == ["one", "two"])
        #expect(channels.map(\.inputs) == [[FeedLocation("a.ts")], [FeedLocation("b.ts"), FeedLocation("c.ts")]])
        #expect(channels.map(\.audio) == [[], [.init(language: "en", name: "English"), .init(language: "pt-BR")]])
    }

    @Test func fileWithoutChannelsDescribesOne() throws {
        let channel = try #require(load("input: a.ts\nname: x\naudio: [{name: English}]").channels.first)
        #expect(channel.name == "x")
        #expect(channel.inputs == [FeedLocation("a.ts")])
        #expect(channel.audio == [.init(name: "English")])
    }

    @Test func anchorsAreFollowed() throws {
        let channels = try load(
            """
            channels:
              - { name: a, input: &feed udp://h:1, window: &w 30 }
              - { name: b, input: *feed, window: *w }
            """
        ).channels
        #expect(channels.map(\.inputs) == [[FeedLocation("udp://h:1")], [FeedLocation("udp://h:1")]])
        #expect(channels.map(\.window) == [MediaTime(seconds: 30), MediaTime(seconds: 30)])
    }

    @Test func inputOfTheCommandLineReplacesThatOfTheOnlyChannel() throws {
        let file = ConfigurationFile(name: "packager.yaml", text: "channels: [{name: x, input: a.ts}]")
        let configuration = try Configuration.load(flags: ["input": ["b.ts"], "name": ["y"]], file: file)
        #expect(configuration.channels.map(\.name) == ["y"])
        #expect(configuration.channels.map(\.inputs) == [[FeedLocation("b.ts")]])
    }

    @Test func severalProgramsMakeAChannelOfEach() throws {
        let configuration = try Configuration.load(
            flags: [
                "input": ["udp://239.0.0.1:5000"], "program": ["101", "102"], "output": ["/srv/www"], "name": ["dvb"],
            ]
        )
        #expect(configuration.channels.map(\.name) == ["dvb-101", "dvb-102"])
        #expect(configuration.channels.map(\.program) == [101, 102])
        #expect(configuration.channels.map(\.output) == ["/srv/www/101", "/srv/www/102"])
        #expect(
            configuration.channels.map(\.inputs) == [
                [FeedLocation("udp://239.0.0.1:5000")], [FeedLocation("udp://239.0.0.1:5000")],
            ]
        )
    }

    @Test func audioTracksAndCaptionsAreDescribed() throws {
        let text = """
            input: a.ts
            audio:
              - { language: en, name: English }
              - { language: en, name: Described, characteristics: public.accessibility.describes-video, autoselect: no }
              - { default: true }
            captions:
              - { channel: SERVICE12, language: es }
            """
        let channel = try #require(
            Configuration.load(file: ConfigurationFile(name: "packager.yaml", text: text)).channels.first
        )
        #expect(
            channel.audio == [
                .init(language: "en", name: "English"),
                .init(
                    language: "en",
                    name: "Described",
                    characteristics: ["public.accessibility.describes-video"],
                    isAutoselect: false
                ),
                .init(isDefault: true),
            ]
        )
        #expect(channel.text.captions == [.init(channel: "SERVICE12", language: "es")])
    }

    @Test func counterModeIsWarnedOf() throws {
        let configuration = try Configuration.load(
            flags: ["input": ["a.ts"], "encryption": ["sample-aes-ctr"], "key-secret": ["/k"]]
        )
        #expect(
            configuration.warnings.map(\.description) == [
                "--encryption: Apple's players refuse sample-aes-ctr (HLS Authoring Specification § 13.11); use sample-aes for all players"
            ]
        )
    }

    /// A job keeps the whole feed, unless somebody says how much of it.
    @Test func aJobKeepsAllOfItsFeed() throws {
        let flags = ["input": ["a.mp4"], "no-realtime": [], "output": ["out"]]
        func channel(_ others: [String: [String]]) throws -> ChannelConfiguration {
            let configuration = try Configuration.load(flags: flags.merging(others) { $1 })
            #expect(configuration.warnings.isEmpty)
            return try #require(configuration.channels.first)
        }
        #expect(try Configuration.load(flags: flags).listen.port == 0, "it runs beside other packagers")
        #expect(try Configuration.load(flags: flags).control.port == 0)
        #expect(try Configuration.load(flags: flags.merging(["listen": ["[::1]:9000"]]) { $1 }).listen.port == 9000)
        #expect(try Configuration.load(flags: flags.merging(["loop": []]) { $1 }).listen.port == 8080)
        #expect(try channel([:]).keepsWholeFeed)
        #expect(try channel([:]).endsByItself)
        #expect(try !channel(["window": ["60"]]).keepsWholeFeed)
        #expect(try channel(["window": ["60"]]).endsByItself)
        #expect(try !channel(["loop": []]).keepsWholeFeed)
        #expect(try channel(["loop": []]).window == MediaTime(seconds: 60))
    }

    /// Playlists name keys: that nobody writes them is said before the film is packaged.
    @Test func aJobWithoutFilesOfItsKeysIsWarnedOf() throws {
        var flags = [
            "input": ["a.mp4"], "no-realtime": [], "output": ["out"], "encryption": ["aes-128"], "key-secret": ["/k"],
        ]
        let warnings = try Configuration.load(flags: flags).warnings.map(\.description)
        #expect(
            warnings == [
                "--output: its playlists name keys/KEYID, but no key is written: nobody can play them unless "
                    + "you serve these keys; 'output-keys: out/keys' writes them"
            ]
        )
        flags["output-keys"] = ["out/keys"]
        #expect(try Configuration.load(flags: flags).warnings.isEmpty)
        #expect(try Configuration.load(flags: flags).channels.first?.outputKeys == "out/keys")
    }

    @Test func filesOfKeysWantKeysAndPlaylists() {
        func problems(_ flags: [String: [String]]) -> [String] {
            do {
                _ = try Configuration.load(flags: flags.merging(["input": ["a.mp4"], "output-keys": ["keys"]]) { $1 })
                return []
            } catch {
                return error.problems.map(\.description)
            }
        }
        #expect(problems(["output": ["out"]]) == ["--output-keys: nothing is encrypted; set encryption as well"])
        #expect(
            problems(["encryption": ["aes-128"]])
                == ["--output-keys: no written playlist names these keys; set output as well"]
        )
    }

    @Test(arguments: [
        ("udp://127.0.0.1", "'udp://127.0.0.1' has no port; write udp://HOST:PORT"),
        ("srt://host?mode=caller", "'srt://host?mode=caller' has no port; write srt://HOST:PORT"),
        ("udp://127.0.0.1:99999", "'99999' is not a port; allowed are 1 to 65535"),
        ("udp://@239.0.0.1:0", "'0' is not a port; allowed are 1 to 65535"),
        ("http://host:port/x", "'port' is not a port; allowed are 1 to 65535"),
    ])
    func aFeedWithoutAPortIsRefused(feed: String, problem: String) {
        let error = #expect(throws: ConfigurationProblems.self) { try Configuration.load(flags: ["input": [feed]]) }
        #expect(error?.problems.map(\.description) == ["--input: \(problem)"])
    }

    @Test(arguments: [
        "udp://@239.0.0.1:5000?reuse=1", "udp://[ff02::1]:5000", "srt://:9000?mode=listener", "rtmp://host/live/key",
        "http://user:word@host/feed.ts", "rtp://239.0.0.1:5004", "file:with:colons.ts", "film.mp4",
    ])
    func feedsWithAPortOrNoneToNameAreTaken(feed: String) throws {
        #expect(try Configuration.load(flags: ["input": [feed]]).channels.first?.inputs.first?.location == feed)
    }

    @Test func whatIsSaidTwiceIsAWarning() throws {
        let configuration = try Configuration.load(
            flags: ["input": ["udp://a:1", "udp://a:1"], "window": ["60", "90"], "key-rotation": ["30"]]
        )
        #expect(
            configuration.warnings.map(\.description) == [
                "--window: it is given 2 times (60, 90): the last one applies",
                "--key-rotation: nothing is encrypted, so there are no keys to change; set encryption as well",
                "--input: 'udp://a:1' is given twice, and most addresses can be opened only once",
            ]
        )
        #expect(configuration.channels.first?.window == MediaTime(seconds: 90))
    }

    @Test func variablesThatMeanNothingHereAreWarnedOfUnlessOrchestratorsMakeThem() throws {
        let configuration = try Configuration.load(
            flags: ["input": ["a.ts"]],
            environment: [
                "PACKAGER_PRIORITY": "1", "PACKAGER_PORT": "tcp://10.0.0.1:80", "PACKAGER_SERVICE_HOST": "10.0.0.1",
                "PACKAGER_SERVICE_PORT_HTTP": "80", "PACKAGER_PORT_80_TCP_ADDR": "10.0.0.1",
            ]
        )
        #expect(configuration.warnings.map(\.description) == ["PACKAGER_PRIORITY: there is no such setting"])
    }

    @Test func whatIsOddIsAWarning() throws {
        let configuration = try Configuration.load(
            flags: ["input": ["a.ts"], "encryption": ["sample-aes"], "key-rotation": ["10"], "clear-lead": ["5"]],
            environment: ["PACKAGER_WINDW": "40", "PACKAGER_PORT_8080_TCP": "tcp://10.0.0.1:8080"]
        )
        #expect(
            configuration.warnings.map(\.description) == [
                "PACKAGER_WINDW: there is no such setting (did you mean PACKAGER_WINDOW?)",
                "--key-rotation: 10 s becomes 12 s, a whole number of segments: 3",
                "--clear-lead: 5 s becomes 8 s, a whole number of segments: 2",
                "--encryption: the keys come from a random secret that is lost when this run ends; set key-secret or state to keep it",
            ]
        )
    }

    @Test func filesThatOutliveTheirKeysAreWarnedOf() throws {
        let configuration = try Configuration.load(
            flags: ["input": ["a.ts"], "encryption": ["aes-128"], "output": ["/srv/film"]]
        )
        #expect(configuration.warnings.count == 1)
        #expect(configuration.warnings.first?.description.contains("nobody can play the files in /srv/film") == true)
    }

    /// Channels of one feed share its reader where they want the same of it.
    @Test(arguments: [("feed-subtitles: none", true), ("audio-transcode: none", true), ("scte35-pid: [auto]", false)])
    func whatOpensAFeedTwiceIsAWarning(setting: String, isOdd: Bool) throws {
        let channels = (1...2).map { "- { name: c\($0), program: \($0), input: \"udp://127.0.0.1:1\"" }
        let warnings = try load("channels:\n  \(channels[0]) }\n  \(channels[1]), \(setting) }\n").warnings
        #expect(warnings.map { $0.description.contains("channels[1].input: another channel") } == (isOdd ? [true] : []))
        #expect(try load("channels:\n  \(channels[0]), \(setting) }\n").warnings.isEmpty)
    }
}
