import MediaCore
import PackagerConfig
import Testing
import Timeline

@Suite struct ChannelConfigurationTests {
    private func channel(_ flags: [String: String]) throws -> ChannelConfiguration {
        var flags = flags.mapValues { [$0] }
        flags["input"] = ["a.ts"]
        flags["window"] = ["600"]
        return try #require(Configuration.load(flags: flags).channels.first)
    }

    @Test(arguments: [("1", 2), ("1.333", 2), ("1.334", 3), ("2", 3), ("3.84", 6), ("4", 6), ("4.001", 7), ("30", 45)])
    func targetDurationIsOneAndAHalfSegmentsRoundedUp(segmentDuration: String, expected: Int) throws {
        #expect(try channel(["segment-duration": segmentDuration]).grid.targetDuration == expected)
    }

    @Test(arguments: [
        ("0", nil), ("0.001", 1), ("4", 1), ("5.999", 1), ("6", 2), ("60", 15), ("61.999", 15), ("62", 16),
        ("86400", 21_600),
    ])
    func keyRotationIsRoundedToWholeSlots(rotation: String, expected: Int64?) throws {
        #expect(try channel(["key-rotation": rotation]).slotsPerPeriod == expected)
    }

    @Test(arguments: [("0", 0), ("0.001", 1), ("4", 1), ("4.001", 2), ("12", 3), ("86400", 21_600)])
    func clearLeadIsRoundedUpToWholeSlots(lead: String, expected: Int64) throws {
        #expect(try channel(["clear-lead": lead, "encryption": "aes-128"]).clearLeadSlots == expected)
    }

    @Test(
        arguments: [
            ([:], .memory), (["state": "/s"], .createdFile("/s/master.key")), (["key-secret": "/k"], .file("/k")),
            (["key-secret": "/k", "state": "/s"], .file("/k")),
        ] as [([String: String], ChannelConfiguration.KeySecret)]
    )
    func secretIsGivenOrKeptInTheStateOrForgotten(
        flags: [String: String],
        expected: ChannelConfiguration.KeySecret
    ) throws {
        #expect(try channel(flags).keySecret == expected)
    }

    @Test func addressOfIPv6IsWrittenInBrackets() {
        #expect(ListenAddress(host: "::1", port: 80).description == "[::1]:80")
        #expect(ListenAddress(host: "localhost", port: 0).description == "localhost:0")
    }
}
