import MediaCore
import Testing

@testable import PackagerConfig

/// Settings of recordings.
@Suite struct RecordingSettingTests {
    private static let feed = "input: udp://127.0.0.1:5000"

    private static func channel(_ settings: String) throws -> ChannelConfiguration {
        try #require(try load("\(feed)\n\(settings)").channels.first)
    }

    @Test func nothingIsRecordedUnlessAskedFor() throws {
        let channel = try Self.channel("")
        #expect(channel.recording.directory == nil && channel.recording.byteCount == nil && channel.timeDelay == .zero)
        #expect(channel.recording.duration == MediaTime(seconds: 14 * 86_400))
    }

    @Test func flagsEnvironmentAndFileSayTheSame() throws {
        let feed = ["input": ["udp://127.0.0.1:5000"]]
        let settings = ["record": "/r", "record-for": "36h", "record-size": "2T", "time-delay": "30s"]
        let flags = try Configuration.load(flags: feed.merging(settings.mapValues { [$0] }) { $1 })
        let environment = try Configuration.load(
            flags: feed,
            environment: Dictionary(
                uniqueKeysWithValues: settings.map { name, value in
                    ("PACKAGER_" + name.uppercased().replacing("-", with: "_"), value)
                }
            )
        )
        let file = try load(([Self.feed] + settings.map { "\($0): \($1)" }).joined(separator: "\n"))
        for configuration in [flags, environment, file] {
            let channel = try #require(configuration.channels.first)
            #expect(channel.recording.directory == "/r" && channel.recording.duration == MediaTime(seconds: 129_600))
            #expect(channel.recording.byteCount == 2 << 40 && channel.timeDelay == MediaTime(seconds: 30))
            #expect(configuration.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("14d", 1_209_600, "14d"), ("48h", 172_800, "2d"), ("36H", 129_600, "36h"), ("90m", 5400, "90m"),
        ("7200s", 7200, "2h"), ("601", 601, "601s"), ("3650d", 315_360_000, "3650d"),
    ])
    func aSpanHasAUnit(text: String, seconds: Int64, written: String) throws {
        let span = try SettingValue.span(text, in: 60...315_360_000)
        #expect(span == MediaTime(seconds: seconds) && SettingValue.text(ofSpan: span) == written)
        #expect(try Self.channel("record: r\nrecord-for: \(text)").recording.duration == span)
    }

    @Test(arguments: [
        ("record-for", "x", "is not a span of time; write it like 14d, 36h, 90m or 30s"),
        ("record-for", "d", "'d' is not a span of time"), ("record-for", "1.5h", "'1.5h' is not a span of time"),
        ("record-for", "-1d", "'-1d' is not a span of time"), ("record-for", "1w", "'1w' is not a span of time"),
        ("record-for", "9999999999d", "'9999999999d' is not a span of time"),
        ("record-for", "999999999d", "999999999d is out of range; allowed are 1m to 3650d"),
        ("record-for", "59s", "59s is out of range; allowed are 1m to 3650d"),
        ("record-for", "3651d", "3651d is out of range; allowed are 1m to 3650d"),
        ("record-size", "1023M", "1023M is out of range; allowed are 1G to 1024T"),
        ("record-size", "1025T", "1025T is out of range; allowed are 1G to 1024T"),
        ("record-size", "999999999999T", "999999999999T is out of range; allowed are 1G to 1024T"),
        ("record-size", "half", "'half' is not a number of bytes"),
        ("time-delay", "15d", "15d is out of range; allowed are 0 to 14d"),
    ])
    func otherValuesAreRefused(name: String, value: String, message: String) {
        let problems = problems(yaml: "\(Self.feed)\nrecord: r\n\(name): '\(value)'")
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("packager.yaml:3: \(name): ") == true)
        #expect(problems.first?.contains(message) == true, "\(problems)")
    }

    @Test(arguments: [
        ("record-size: 2G", "record-size: nothing is recorded; set record as well"),
        ("time-delay: 30", "time-delay: a delayed channel must be recorded; set record as well"),
        (
            "record: /s/./\nstate: /s",
            "record: '/s/./' is where state is kept; a recording needs a directory of its own"
        ),
        (
            "record: r\nwindow: 60\nrecord-for: 119s",
            "record-for: 119s is too short for a window of 60 s; allowed are 120 s"
        ),
        (
            "record: r\nwindow: 60\nrecord-for: 149s\ntime-delay: 30",
            "record-for: 149s is too short for a window of 60 s that is 30s behind; allowed are 150 s and more: twice the "
                + "window, and time-delay"
        ),
        ("record: r\ntime-delay: 30\npart-duration: 1", "time-delay: parts are for viewers at the live edge"),
        ("record: r\ntime-delay: 30\nhold-next: true", "time-delay: playlists that wait for their next segment"),
    ])
    func whatDoesNotGoTogetherIsSaid(settings: String, message: String) {
        let problems = problems(yaml: "\(Self.feed)\n\(settings)")
        #expect(problems.count == 1 && problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func aFileThatIsReadAtOnceIsNotRecorded() {
        let problems = problems(yaml: "input: a.ts\nrealtime: false\nrecord: r")
        #expect(
            problems == [
                "packager.yaml:3: record: a file that is read with --no-realtime is not live; output keeps all of it"
            ]
        )
    }

    /// The other settings are each packager's own, and versions without a delay know none.
    @Test func membersOfAPairHaveTheDelayInCommon() throws {
        let settings = "record: /r\nrecord-for: 7d\nrecord-size: 8G"
        let plain = try Self.channel(settings).identity(of: [.stream, .pair, .rolling])
        #expect(plain == (try Self.channel("").identity(of: [.stream, .pair, .rolling])))
        let delayed = try Self.channel("\(settings)\ntime-delay: 90s").identity(of: [.rolling])
        #expect(delayed["time-delay"] == "90s" && ChannelConfiguration.effect(of: "time-delay") == .rolling)
    }
}
