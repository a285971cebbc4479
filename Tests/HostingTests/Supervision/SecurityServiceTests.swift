import Control
import Files
import HTTPServing
import MediaCore
import Operations
import TestSupport
import Testing

@testable import Hosting

/// Certificates and tokens whose files change while they are in use.
@Suite(.timeLimit(.minutes(5))) struct SecurityServiceTests {
    private static let first = ["certificate.pem": TestCertificates.first, "private.key": TestCertificates.firstKey]

    private static func expiry(of listener: String, _ stage: SecurityStage) -> MediaTime? {
        stage.security[listener]?.value.expiry
    }

    /// Replaces the certificate and its key by those of another key.
    private static func renew(_ stage: SecurityStage) throws {
        try stage.write(TestCertificates.second, to: "certificate.pem")
        try stage.write(TestCertificates.secondKey, to: "private.key")
    }

    // MARK: Certificates

    @Test func unchangedCertificateIsNoNews() async throws {
        let stage = try SecurityStage(Self.first)
        let pauses = await stage.run({}, {})
        #expect(pauses == [Duration](repeating: .seconds(5), count: 3))
        #expect(stage.recorded.isEmpty && stage.log.all.isEmpty)
    }

    @Test func renewedCertificateIsTakenUpByEachListener() async throws {
        let stage = try SecurityStage(Self.first)
        let before = try #require(Self.expiry(of: "origin", stage))
        await stage.run({ try Self.renew(stage) }, {})
        let expiry = try #require(Self.expiry(of: "origin", stage))
        #expect(expiry > before && Self.expiry(of: "control", stage) == expiry)
        let messages = ["origin", "control"].map { listener in
            "The certificate of \(stage.certificate) has changed: new connections to \(listener) get it; "
                + "it expires at \(expiry.iso8601)."
        }
        #expect(stage.recorded.map(\.message) == messages)
        #expect(stage.recorded.allSatisfy { $0.kind == .configuration && $0.severity == .info })
        #expect(stage.recorded.allSatisfy { $0.channel == ChannelEvent.allChannels && $0.time == stage.clock.now })
        #expect(stage.log.all == messages.map { "notice certificate renewed what=\($0)" })
    }

    /// A certificate and its key are renewed one file after the other.
    @Test func pairThatIsHalfWrittenIsNoNews() async throws {
        let stage = try SecurityStage(Self.first)
        let before = Self.expiry(of: "origin", stage)
        await stage.run({ try stage.write(TestCertificates.second, to: "certificate.pem") })
        #expect(stage.recorded.isEmpty && Self.expiry(of: "origin", stage) == before)
        await stage.run({ try stage.write(TestCertificates.secondKey, to: "private.key") })
        #expect(stage.recorded.count == 2 && stage.recorded.allSatisfy { $0.severity == .info })
        #expect(Self.expiry(of: "origin", stage) != before)
    }

    @Test(arguments: [
        ("certificate.pem", "nonsense", ServerCertificateError.noCertificate),
        ("private.key", "nonsense", .noPrivateKey), ("private.key", TestCertificates.secondKey, .mismatch),
    ])
    func brokenCertificateIsToldOnceAndTheOneFromBeforeStays(
        file: String,
        text: String,
        error: ServerCertificateError
    ) async throws {
        let stage = try SecurityStage(Self.first)
        let before = try #require(Self.expiry(of: "origin", stage))
        await stage.run({ try stage.write(text, to: file) }, {}, {}, {})
        let messages = ["origin", "control"].map { listener in
            "The certificate of \(stage.certificate) has changed and cannot be used (\(error)): "
                + "new connections to \(listener) get the former one."
        }
        #expect(stage.recorded.map(\.message) == messages)
        #expect(stage.recorded.allSatisfy { $0.severity == .error })
        let effect =
            "do=correct the file; it is read again by itself viewers=they notice nothing until the former one expires"
        #expect(stage.log.all == messages.map { "error renewed certificate cannot be used \(effect) what=\($0)" })
        #expect(Self.expiry(of: "origin", stage) == before && Self.expiry(of: "control", stage) == before)
    }

    @Test func certificateThatIsMendedIsTakenUp() async throws {
        let stage = try SecurityStage(Self.first)
        await stage.run({ try stage.write("nonsense", to: "certificate.pem") }, {}, { try Self.renew(stage) })
        #expect(stage.recorded.map(\.severity) == [.error, .error, .info, .info])
    }

    // MARK: Expiry

    @Test func certificateThatEndsSoonIsWarnedOfAtOnceAndOnceADay() async throws {
        let files = ["certificate.pem": TestCertificates.ending, "private.key": TestCertificates.firstKey]
        let stage = try SecurityStage(files)
        let expiry = try #require(Self.expiry(of: "origin", stage)).iso8601
        await stage.run({}, { stage.clock.advance(by: 86_399) }, { stage.clock.advance(by: 1) }, {})
        // One file is one warning, whatever listeners have it.
        let messages = ["in 4 days", "in 3 days"].map { time in
            "tls-certificate: \(stage.certificate): the certificate expires at \(expiry), \(time): renew it."
        }
        #expect(stage.recorded.map(\.message) == messages)
        #expect(stage.recorded.allSatisfy { $0.severity == .warning })
        let effect = "do=renew it; the new file is read by itself viewers=they are shut out once it has expired"
        #expect(stage.log.all == messages.map { "warning certificate expires soon \(effect) what=\($0)" })
    }

    @Test func renewalThatEndsSoonIsWarnedOfOnce() async throws {
        let stage = try SecurityStage(Self.first)
        await stage.run({ try stage.write(TestCertificates.ending, to: "certificate.pem") }, {})
        #expect(stage.recorded.map(\.severity) == [.info, .info, .warning])
        #expect(stage.recorded.last?.message.hasSuffix(", in 4 days: renew it.") == true)
    }

    // MARK: Tokens

    private static let ana = "ana operator 9129334f8946ba5c0e52ba6e38300cc2c5d8bf1a8502959438c1462b8429e211\n"
    private static let zoe = "zoe administrator 1937509c94581b765330cfa8ab25fc013afd748932aa35ce64582b6448fe3519\n"

    @Test func newTokensHold() async throws {
        let stage = try SecurityStage(["tokens": Self.ana], ["control-tokens": "tokens"])
        await stage.run({ try stage.write(Self.ana + Self.zoe, to: "tokens") }, {})
        let message = "The tokens of \(stage.tokens) have changed: the new ones are in force."
        #expect(stage.recorded.map(\.message) == [message])
        #expect(stage.log.all == ["notice control tokens changed what=\(message)"])
        let expected = try ControlTokens(list: Array((Self.ana + Self.zoe).utf8))
        #expect(stage.security.tokens?.value == expected)
    }

    @Test func brokenTokensAreToldOnceAndThoseFromBeforeHold() async throws {
        let stage = try SecurityStage(["tokens": Self.ana], ["control-tokens": "tokens"])
        await stage.run({ try stage.write("ana owner\n", to: "tokens") }, {}, {}, {})
        let event = try #require(stage.recorded.first)
        #expect(stage.recorded.count == 1 && event.severity == .error)
        #expect(event.message.hasPrefix("The tokens of \(stage.tokens) have changed and cannot be used ("))
        #expect(event.message.hasSuffix("): the former ones stay in force."))
        let effect = "do=correct the file; it is read again by itself viewers=they notice nothing"
        #expect(stage.log.all == ["error changed control tokens cannot be used \(effect) what=\(event.message)"])
        let expected = try ControlTokens(list: Array(Self.ana.utf8))
        #expect(stage.security.tokens?.value == expected)
    }
}
