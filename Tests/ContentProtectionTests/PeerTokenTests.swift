import ContentProtection
import MediaCore
import Testing

@Suite struct PeerTokenTests {
    private static func token(_ byte: UInt8 = 0x5A, channel: String = "live") throws -> PeerToken {
        let secret = try #require(MasterSecret([UInt8](repeating: byte, count: 32)))
        return try KeySchedule(secret: secret, channel: channel, slotsPerPeriod: nil).peerToken()
    }

    /// Calculated with Python's hmac: members of a pair may be of different versions.
    @Test func tokenIsTheSameOnEveryMachine() throws {
        #expect(PeerToken.credentials(try Self.token()) == "Bearer 984317751981b5152d9770e4ea0dd2ad")
    }

    @Test func tokenNeedsTheSecret() throws {
        let token = try Self.token()
        let own = PeerToken.credentials(token)
        #expect(token.isIn(own))
        let others = [
            PeerToken.credentials(try Self.token(0x5B)), PeerToken.credentials(try Self.token(channel: "other")),
            PeerToken.credentials(nil), "", "Bearer ", String(own.dropLast()), own + "0", own.uppercased(),
        ]
        for other in others { #expect(!token.isIn(other), "\(other)") }
    }

    @Test func descriptionsHideTheToken() throws {
        let token = try Self.token()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
            #expect(!text.contains("984317"))
        }
    }
}
