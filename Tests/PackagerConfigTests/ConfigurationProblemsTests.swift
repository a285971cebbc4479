import MediaCore
import TestSupport
import Testing

@testable import PackagerConfig

@Suite struct ConfigurationProblemsTests {
    @Test func allMistakesAreListedAtOnceWithTheirPlaces() throws {
        let yaml = """
            listen: 127.0.0.1:80800
            segmnet-duration: 4
            channels:
              - name: news
                input: udp://239.0.0.1:5000
                window: 20
                output: /srv/www
              - name: news
                input: [-]
                loop: true
                encryption: aes-182
                output: /srv/./www/
              - name: ..
                window: [60, 70]
                audio:
                  - { language: english!, title: English }
            """
        let file = ConfigurationFile(name: "packager.yaml", text: yaml)
        let problems = #expect(throws: ConfigurationProblems.self) {
            try Configuration.load(
                flags: ["key-rotation": ["daily"], "windwo": ["30"]],
                environment: ["PACKAGER_MAXIMUM_MEMORY": "1MB", "PACKAGER_NAME": "x"],
                file: file
            )
        }
        #expect(
            problems?.description == """
                the configuration has 16 problems:
                  --windwo: there is no such flag (did you mean --window?)
                  --key-rotation: 'daily' is not a number of seconds; write it like 4 or 3.84, with at most three decimals
                  PACKAGER_NAME: this can be set for one channel only; the file has 3
                  PACKAGER_MAXIMUM_MEMORY: '1MB' is not a number of bytes; write it like 512M or 2G
                  packager.yaml:1: listen: '80800' is not a port; allowed are 0 (any free one) to 65535
                  packager.yaml:2: segmnet-duration: there is no such key (did you mean segment-duration?)
                  packager.yaml:6: channels[0].window: 20 s is too short for segments of 4 s; allowed are 24 s and more: \
                six segments and three target durations
                  packager.yaml:8: channels[1].name: 'news' is the name of another channel too \
                (packager.yaml:4: channels[0].name); names must differ
                  packager.yaml:10: channels[1].loop: loop needs a file; '-' is not a file
                  packager.yaml:11: channels[1].encryption: 'aes-182' is not known; allowed are none, aes-128, \
                aes-256-gcm, sample-aes, sample-aes-ctr \
                (did you mean aes-128?)
                  packager.yaml:12: channels[1].output: another channel writes to '/srv/./www/' too \
                (packager.yaml:7: channels[0].output); each needs its own
                  packager.yaml:13: channels[2].name: '..' cannot be a channel's name; allowed are up to 64 letters, digits, \
                '.', '_' and '-', not '.' or '..'
                  packager.yaml:13: channels[2]: there is no input; give at least one feed: a URL, a file or - for standard input
                  packager.yaml:14: channels[2].window: one value is expected, not a list
                  packager.yaml:16: channels[2].audio[0].title: there is no such key; allowed are language, name, \
                characteristics, default, autoselect
                  packager.yaml:16: channels[2].audio[0].language: 'english!' is not a language tag; write it like en or pt-BR
                """
        )
    }

    @Test(arguments: [
        ("input: [a\nwindow: 1", "packager.yaml:2:7: while parsing a flow sequence: did not find expected ',' or ']'"),
        ("a: b: c", "packager.yaml:1:5: mapping values are not allowed in this context"),
        (
            "window: 30\n\twindow: 40",
            "packager.yaml:2:1: a tab stands here; YAML is indented by spaces"
        ),
        ("input:\n\t- a", "packager.yaml:2:1: a tab stands here; YAML is indented by spaces"),
        ("name: a\nname: b", "packager.yaml:1:1: these keys are there more than once: name (lines 1 and 2)"),
        (
            "channels:\n  - name: a\n    window: 60\n    # window: 1\n    audio:\n      - window: 1\n    window: 70\n",
            "packager.yaml:3:5: these keys are there more than once: window (lines 3 and 7)"
        ),
        ("{name: a, name: b}", "packager.yaml:1:2: these keys are there more than once: name"),
        ("name: a\nx\u{1}: b", "packager.yaml:2:2: control characters are not allowed"),
        (
            "name: a\n---\nname: b",
            "packager.yaml:2:1: expected a single document in the stream: but found another document"
        ),
        ("name: *x", "packager.yaml:1:7: found undefined alias"),
    ])
    func textThatIsNotYAMLIsOneProblemWithItsPlace(yaml: String, problem: String) {
        #expect(problems(yaml: yaml) == [problem])
    }

    @Test(arguments: [
        ("", "--input: there is no input; give at least one feed: a URL, a file or - for standard input"),
        ("# nothing", "--input: there is no input; give at least one feed: a URL, a file or - for standard input"),
        (
            "channels: [{name: x}]",
            "packager.yaml:1: channels[0]: there is no input; "
                + "give at least one feed: a URL, a file or - for standard input"
        ),
        ("channels: []", "packager.yaml:1: channels: a list of channels is expected"),
        ("channels: x", "packager.yaml:1: channels: a list of channels is expected"),
        ("- input: a", "packager.yaml:1: a list of keys with values is expected, like 'name: live'"),
        ("input: {a: b}", "packager.yaml:1: input: a single value is expected"),
        ("input: []", "packager.yaml:1: input: the list is empty"),
        ("input: [[a]]", "packager.yaml:1: input[0]: a single value is expected"),
        ("input: a\nname:", "packager.yaml:2: name: there is no value; to use the default, leave out the key"),
        ("input: a\nname: ''", "packager.yaml:2: name: there is no value; to use the default, leave out the key"),
        ("input: a\nname: [a, b]", "packager.yaml:2: name: one value is expected, not a list"),
        ("input: a\ninputs: b", "packager.yaml:2: inputs: there is no such key (did you mean input?)"),
        (
            "input: a\nsegment_duration: 2",
            "packager.yaml:2: segment_duration: there is no such key (did you mean segment-duration?)"
        ),
        ("input: a\nno-realtime: true", "packager.yaml:2: no-realtime: there is no such key (did you mean realtime?)"),
        ("input: a\nx: 1", "packager.yaml:2: x: there is no such key"),
        ("input: a\n? [a]\n: 1", "packager.yaml:2: there is no such key"),
        ("channels: [{input: a, listen: 'h:1'}]", "packager.yaml:1: channels[0].listen: there is no such key"),
        (
            "channels: [{input: a}]\ninput: b",
            "packager.yaml:2: input: this belongs to a channel; write it below 'channels'"
        ),
        (
            "input: a\naudio: {language: en}",
            "packager.yaml:2: audio: a list of audio tracks is expected, like '- {language: en, name: English}'"
        ),
        (
            "input: a\naudio: [en]",
            "packager.yaml:2: audio[0]: a mapping is expected for each audio track, like '{language: en, name: English}'"
        ),
        (
            "input: a\naudio: [{lang: en}]",
            "packager.yaml:2: audio[0].lang: there is no such key; allowed are language, name, characteristics, "
                + "default, autoselect"
        ),
        (
            #"input: a\#naudio: [{name: 'a"b'}]"#,
            "packager.yaml:2: audio[0].name: the text must not be empty, and may not have quotation marks, line ends, "
                + "control characters or '{$'"
        ),
        (
            "input: a\naudio: [{name: A}, {name: A}]",
            "packager.yaml:2: audio[1].name: another audio track is 'A' too (packager.yaml:2: audio[0].name)"
        ),
        (
            "input: a\naudio: [{default: true}, {default: true}]",
            "packager.yaml:2: audio[1].default: only one track can be the default"
        ),
        (
            "input: a\naudio: [{default: true, autoselect: false}]",
            "packager.yaml:2: audio[0].autoselect: a track with 'default: true' cannot have 'autoselect: false' (RFC 8216bis "
                + "§ 4.4.6.1)"
        ),
        (
            "input: a\naudio: [{characteristics: described}]",
            "packager.yaml:2: audio[0].characteristics: 'described' is not a uniform type identifier; write it like "
                + "public.accessibility.describes-video"
        ),
        (
            "input: a\ncaptions: [{language: en}]",
            "packager.yaml:2: captions[0]: there is no channel; write it like 'channel: CC1'"
        ),
        (
            "input: a\ncaptions: [{channel: CC5}]",
            "packager.yaml:2: captions[0].channel: 'CC5' is no caption channel; allowed are CC1 to CC4 and SERVICE1 to "
                + "SERVICE63"
        ),
        (
            "input: a\ncaptions: [{channel: CC1}, {channel: CC1}]",
            "packager.yaml:2: captions[1].channel: another caption channel is 'CC1' too (packager.yaml:2: "
                + "captions[0].channel)"
        ),
        ("input: a\nprogram: [1, 01]", "packager.yaml:2: program[1]: program 1 is there twice"),
        (
            "input: a\nprogram: 0",
            "packager.yaml:2: program: '0' is not the number of a program; allowed are 1 to 65535"
        ),
        (
            "input: a\nformat: ts\nencryption: sample-aes-ctr",
            "packager.yaml:3: encryption: sample-aes-ctr is defined for fmp4 only; in ts there is sample-aes"
        ),
        (
            "input: a\nencryption: sample-aes\nencrypt-init: true",
            "packager.yaml:3: encrypt-init: only aes-128 and aes-256-gcm in fmp4 have an initialization section that can "
                + "be encrypted"
        ),
        (
            "input: a\nencryption: aes-256-gcm\nkey-source: file:/k",
            "packager.yaml:3: key-source: keys of aes-256-gcm have 256 bits, and those of file 128; use key-source derived"
        ),
        (
            "input: a\nencryption: aes-256-gcm\ndrm: [widevine]",
            "packager.yaml:3: drm[0]: key systems protect samples; they need encryption sample-aes or sample-aes-ctr"
        ),
        (
            "input: a\ndrm: fairplay",
            "packager.yaml:2: drm: key systems protect samples; they need encryption sample-aes or sample-aes-ctr"
        ),
        (
            "input: a\nencryption: aes-128\ndrm: [widevine]",
            "packager.yaml:3: drm[0]: key systems protect samples; they need encryption sample-aes or sample-aes-ctr"
        ),
        (
            "input: a\nencryption: sample-aes-ctr\ndrm: [widevine, fairplay]",
            "packager.yaml:3: drm[0]: fairplay knows sample-aes only (HLS Authoring Specification § 13.2, 13.11)"
        ),
        (
            "input: a\nencryption: sample-aes\nformat: ts\ndrm: [widevine, fairplay]",
            "packager.yaml:4: drm[0]: in ts there is fairplay only; the others decrypt fmp4"
        ),
        (
            "input: a\nencryption: sample-aes\ndrm: [widevine, identity]",
            "packager.yaml:3: drm[1]: 'identity' is not known; allowed are fairplay, widevine, playready, clearkey"
        ),
        (
            "input: a\naudio: [{language: e}]",
            "packager.yaml:2: audio[0].language: 'e' is not a language tag; write it like en or pt-BR"
        ),
    ])
    func fileWithOneMistakeHasOneProblem(yaml: String, problem: String) {
        #expect(problems(yaml: yaml) == [problem])
    }

    @Test(arguments: [
        ("listen", "8080", "'8080' has no port; write HOST:PORT, like 127.0.0.1:8080"),
        ("listen", ":8080", "':8080' has no host; write HOST:PORT, like 127.0.0.1:8080"),
        ("listen", "a b:1", "'a b:1' has no host; write HOST:PORT, like 127.0.0.1:8080"),
        ("listen", "::1:8080", "'::1:8080' is ambiguous; write an IPv6 address in brackets, like [::1]:8080"),
        ("listen", "localhost:", "'' is not a port; allowed are 0 (any free one) to 65535"),
        ("listen", "localhost:65536", "'65536' is not a port; allowed are 0 (any free one) to 65535"),
        ("listen", "localhost:+80", "'+80' is not a port; allowed are 0 (any free one) to 65535"),
        (
            "log-level", "verbose",
            "'verbose' is not known; allowed are trace, debug, info, notice, warning, error, critical"
        ),
        ("format", "tss", "'tss' is not known; allowed are fmp4, ts (did you mean ts?)"),
        (
            "encryption", "aes128",
            "'aes128' is not known; allowed are none, aes-128, aes-256-gcm, sample-aes, sample-aes-ctr "
                + "(did you mean aes-128?)"
        ),
        ("clock", "PTS", "'PTS' is not known; allowed are arrival, pts, timecode (did you mean pts?)"),
        ("timecode-offset", "2:00", "'2:00' is not an offset from UTC; write it like +02:00 or -05:30, or in seconds"),
        (
            "timecode-offset", "+01:60",
            "'+01:60' is not an offset from UTC; write it like +02:00 or -05:30, or in seconds"
        ),
        ("timecode-offset", "CET", "'CET' is not an offset from UTC; write it like +02:00 or -05:30, or in seconds"),
        ("timecode-offset", "-14:01", "-14:01 is out of range; allowed are -14:00 to +14:00"),
        ("segment-duration", "0.999", "0.999 s is out of range; allowed are 1 to 30 s"),
        ("segment-duration", "30.001", "30.001 s is out of range; allowed are 1 to 30 s"),
        ("segment-duration", "0", "0 s is out of range; allowed are 1 to 30 s"),
        ("window", "86401", "86401 s is out of range; allowed are 1 to 86400 s"),
        (
            "window", "23.999",
            "23.999 s is too short for segments of 4 s; allowed are 24 s and more: six segments and three target durations"
        ),
        ("key-rotation", "2678401", "2678401 s is out of range; allowed are 0 to 2678400 s"),
        ("clear-lead", "12", "clear-lead needs encryption; set it as well"),
        ("maximum-memory", "15M", "15M is out of range; allowed are 16M to 1T"),
        ("maximum-memory", "999999999999G", "999999999999G is out of range; allowed are 16M to 1T"),
        ("maximum-memory", "M", "'M' is not a number of bytes; write it like 512M or 2G"),
        ("maximum-memory", "-1", "'-1' is not a number of bytes; write it like 512M or 2G"),
        ("loop", "maybe", "'maybe' is neither true nor false"),
        ("peer", "10.0.0.2", "'10.0.0.2' is not the URL of a server; write it like http://10.0.0.2:8080"),
        (
            "peer", "http://me:secret@10.0.0.2:8080",
            "the URL of a server cannot have a user or a password; write it like http://10.0.0.2:8080"
        ),
        ("output", "", "there is no value"),
    ])
    func flagWithABadValueIsOneProblem(flag: String, value: String, problem: String) {
        #expect(problems(flags: ["input": ["a.ts"], flag: [value]]) == ["--\(flag): \(problem)"])
    }

    @Test(arguments: [
        "", "four", "-4", "+4", "4s", "1e1", "4.", ".5", "4.0001", "4,5", "٤", "0x4", "9999999999", "nan",
    ])
    func otherTextsAreNoDurations(text: String) {
        let message =
            "packager.yaml:2: segment-duration: "
            + (text.isEmpty
                ? "there is no value; to use the default, leave out the key"
                : "'\(text)' is not a number of seconds; write it like 4 or 3.84, with at most three decimals")
        #expect(problems(yaml: "input: a\nsegment-duration: '\(text)'") == [message])
    }

    @Test(
        arguments: [
            ("0", 0), ("+02:00", 7_200), ("-05:30", -19_800), ("14:00", 50_400), ("-3600", -3_600), ("+43", 43),
        ] as [(String, Int64)]
    )
    func offsetsFromUTCHaveASign(text: String, seconds: Int64) throws {
        let flags = ["input": ["a.ts"], "clock": ["timecode"], "timecode-offset": [text]]
        let configuration = try Configuration.load(flags: flags)
        #expect(configuration.channels.first?.timecodeOffset == MediaTime(seconds: seconds))
        #expect(configuration.warnings.isEmpty)
    }

    @Test func anOffsetWithoutTimecodeIsWarnedOf() throws {
        let configuration = try Configuration.load(flags: ["input": ["a.ts"], "timecode-offset": ["+02:00"]])
        #expect(
            configuration.warnings.map(\.description)
                == ["--timecode-offset: timecode-offset applies to 'clock: timecode' only; the clock is arrival"]
        )
    }

    @Test(arguments: [".", "..", "a/b", "a b", "größe", "a%20b", String(repeating: "a", count: 65)])
    func otherTextsAreNoChannelNames(name: String) {
        let rule = "allowed are up to 64 letters, digits, '.', '_' and '-', not '.' or '..'"
        #expect(
            problems(flags: ["input": ["a"], "name": [name]])
                == ["--name: '\(name)' cannot be a channel's name; \(rule)"]
        )
    }

    @Test(arguments: ["...", "A", "a.b-c_9", String(repeating: "a", count: 64)])
    func namesOfUnreservedCharactersAreAllowed(name: String) {
        #expect(problems(flags: ["input": ["a"], "name": [name]]).isEmpty)
    }

    @Test(arguments: [
        ("1", "6"), ("1.1", "6.6"), ("1.334", "9"), ("1.4", "9"), ("2", "12"), ("4", "24"), ("4.001", "24.006"),
        ("30", "180"),
    ])
    func windowHoldsSixSegmentsAndThreeTargetDurations(segmentDuration: String, minimum: String) {
        let flags = ["input": ["a"], "segment-duration": [segmentDuration]]
        #expect(problems(flags: flags.merging(["window": [minimum]]) { $1 }).isEmpty)
        #expect(
            problems(flags: flags.merging(["window": ["5.999"]]) { $1 }) == [
                "--window: 5.999 s is too short for segments of \(segmentDuration) s; "
                    + "allowed are \(minimum) s and more: six segments and three target durations"
            ]
        )
    }

    @Test func defaultThatDoesNotFitSaysThatItIsTheDefault() {
        #expect(
            problems(yaml: "channels: [{input: a, segment-duration: 12}]") == [
                "channels[0].window (default): 60 s is too short for segments of 12 s; "
                    + "allowed are 72 s and more: six segments and three target durations"
            ]
        )
    }

    @Test(
        arguments: [
            (["loop": []], "-", "--loop: loop needs a file; '-' is not a file"),
            (["loop": []], "udp://h:1", "--loop: loop needs a file; 'udp://h:1' is a live feed"),
            (
                ["no-realtime": []], "srt://h:1",
                "--no-realtime: no-realtime needs a feed with an end; 'srt://h:1' is a live feed"
            ),
            (["no-realtime": []], "-", nil),
            (["loop": [], "no-realtime": []], "file:///a.ts", nil),
            (["loop": [], "clock": ["pts"]], "a.ts", nil),
        ] as [([String: [String]], String, String?)]
    )
    func howAFeedIsReadMustSuitIt(flags: [String: [String]], input: String, problem: String?) {
        #expect(problems(flags: flags.merging(["input": [input]]) { $1 }) == (problem.map { [$0] } ?? []))
    }

    @Test func standardInputIsReadOnce() {
        #expect(
            problems(yaml: "channels: [{name: a, input: [-]}, {name: b, input: '-'}]")
                == ["packager.yaml:1: channels[1].input: standard input can be read only once"]
        )
    }

    /// A channel of several programs writes to a directory, and a folder of a store, for each.
    @Test(arguments: [true, false])
    func placesOfProgramsAreTheirOwn(isFirst: Bool) {
        let programs = "{name: a, input: 'udp://h:1', program: [1, 2], output: /o, push: [{url: 's3://bucket/o'}]}"
        let other = "{name: b, input: b, output: /o/2, push: [{url: 's3://bucket/o/1'}]}"
        let yaml = "channels: [\((isFirst ? [programs, other] : [other, programs]).joined(separator: ", "))]"
        let found = problems(yaml: yaml)
        #expect(found.count == 2, "\(found)")
        #expect(found.contains { $0.contains("another channel writes to '/o/2' too") }, "\(found)")
        #expect(found.contains { $0.contains("another destination is 's3://bucket/o/1' too") }, "\(found)")
        #expect(
            problems(
                yaml: "channels: [\(programs), {name: b, input: b, output: /o/3, push: [{url: 's3://bucket/o/3'}]}]"
            ) == []
        )
    }

    @Test func flagsOfOneChannelDoNotSuitSeveral() {
        let yaml = "channels: [{name: a, input: a}, {name: b, input: b}]"
        #expect(
            problems(flags: ["input": ["c"], "output": ["/o"]], environment: ["PACKAGER_NAME": "c"], yaml: yaml) == [
                "--input: this can be set for one channel only; the file has 2",
                "--output: another channel writes to '/o' too (--output); each needs its own",
                "PACKAGER_NAME: this can be set for one channel only; the file has 2",
            ]
        )
    }

    @Test func damagedFilesGiveProblemsButNeverTrap() {
        var random = SeededGenerator(seed: 5)
        let yaml = Array(
            """
            listen: h:1
            channels:
              - {name: a, input: [a, b], audio: [{language: en}], window: 60}
              - name: b
                input: &x c
                output: *x
            """.utf8
        )
        for _ in 0..<1000 {
            var bytes = yaml
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes[index] = Array("[]{}:,-&*#'\"|>%@!?\n\t ".utf8).randomElement(using: &random) ?? 0
                default: bytes.insert(bytes[index], at: index)
                }
            }
            for problem in problems(yaml: String(decoding: bytes, as: UTF8.self)) { #expect(problem.contains(": ")) }
        }
    }

    @Test(arguments: [("upd", "udp"), ("wnidow", "window"), ("chek", "check"), ("drll", "drill"), ("xyz", nil)])
    func aSlipOfTheFingersIsRecognized(word: String, meant: String?) {
        #expect(Suggestion.nearest(to: word, among: ["udp", "window", "check", "drill"]) == meant)
    }
}
