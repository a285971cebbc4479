import MediaCore
import Testing

@testable import PackagerConfig

/// Settings of low latency.
@Suite struct PartSettingTests {
    private static func channel(_ settings: String) throws -> ChannelConfiguration {
        try #require(try load("input: a.ts\n\(settings)").channels.first)
    }

    @Test func thereAreNoPartsUnlessAskedFor() throws {
        let channel = try Self.channel("")
        #expect(channel.partTarget == nil && channel.partDuration == .zero && !channel.holdsNext)
        #expect(try Self.channel("part-duration: 0").partTarget == nil)
    }

    @Test func flagsEnvironmentAndFileSayTheSame() throws {
        let feed = ["input": ["udp://127.0.0.1:5000"]]
        let flags = try Configuration.load(flags: feed.merging(["part-duration": ["0.5"], "hold-next": []]) { $1 })
        let environment = try Configuration.load(
            flags: feed,
            environment: ["PACKAGER_PART_DURATION": "0.5", "PACKAGER_HOLD_NEXT": "true"]
        )
        let file = try load("input: udp://127.0.0.1:5000\npart-duration: 0.5\nhold-next: true")
        for configuration in [flags, environment, file] {
            #expect(configuration.channels.map(\.partTarget) == [MediaTime(milliseconds: 500)])
            #expect(configuration.channels.map(\.holdsNext) == [true])
            #expect(configuration.warnings.isEmpty)
        }
    }

    @Test(arguments: [("0.2", "4"), ("2", "4"), ("1.001", "4"), ("15", "30"), ("0.5", "1")])
    func aPartIsHalfASegmentAtMost(part: String, segment: String) throws {
        let channel = try Self.channel("part-duration: \(part)\nsegment-duration: \(segment)\nwindow: 600")
        #expect(channel.partTarget == channel.partDuration)
    }

    @Test(arguments: [
        ("0.199", "4", "allowed are 0 (no parts) and 0.2 s to 2 s, half a segment"),
        ("2.001", "4", "parts of 2.001 s do not suit segments of 4 s"),
        ("0.6", "1", "allowed are 0 (no parts) and 0.2 s to 0.5 s, half a segment"),
        ("16", "30", "allowed are 0 to 15 s"),
        ("-1", "4", "is not a number of seconds"),
    ])
    func otherLengthsAreRefused(part: String, segment: String, message: String) {
        let problems = problems(yaml: "input: a.ts\nwindow: 600\npart-duration: \(part)\nsegment-duration: \(segment)")
        #expect(problems.count == 1)
        #expect(
            problems[0].hasPrefix("packager.yaml:3: part-duration: ") && problems[0].contains(message),
            "\(problems)"
        )
    }

    @Test(arguments: [
        ("format: ts", "a transport stream has no parts: video and audio share its segments"),
        ("encryption: aes-128", "aes-128 encrypts a segment as a whole, so that no part can be decrypted by itself"),
        ("encryption: aes-256-gcm", "aes-256-gcm encrypts a segment as a whole"),
        ("output: out\nrealtime: false", "with --no-realtime there is no live edge"),
    ])
    func theReasonWhyThereCanBeNoPartsIsSaid(settings: String, message: String) {
        let with = problems(yaml: "input: a.ts\n\(settings)\npart-duration: 1")
        #expect(with.count == 1 && with[0].contains("part-duration: \(message)"), "\(with)")
        #expect(problems(yaml: "input: a.ts\n\(settings)\npart-duration: 0") == [])
    }

    @Test(arguments: ["none", "sample-aes", "sample-aes-ctr"])
    func otherEncryptionHasParts(encryption: String) throws {
        #expect(try Self.channel("encryption: \(encryption)\npart-duration: 1").partTarget != nil)
    }

    /// A delta update leaves out what is older than six target durations: 36 s with segments of 4 s.
    @Test(arguments: [("39.999", true), ("40", false)])
    func aWindowThatIsSentWholeIsSaid(window: String, isWarned: Bool) throws {
        let warnings = try load("input: a.ts\npart-duration: 1\nwindow: \(window)").warnings.map(\.description)
        let expected =
            "packager.yaml:2: part-duration: a window of \(window) s is too short for delta updates: players get the "
            + "whole playlist with each part; set window to 40 s or more"
        #expect(warnings == (isWarned ? [expected] : []))
        #expect(try load("input: a.ts\nwindow: \(window)").warnings.isEmpty)
    }

    /// A journal of a version without parts is of a channel without parts.
    @Test func anOlderIdentityIsOfAChannelWithoutParts() {
        #expect(ChannelConfiguration.identityOfDefaults["part-duration"] == "0.0")
        #expect(ChannelConfiguration.identityOfDefaults["hold-next"] == nil)
        #expect(ChannelConfiguration.effect(of: "part-duration") == .stream)
    }
}
