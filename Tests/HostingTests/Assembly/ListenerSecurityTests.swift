import Control
import Files
import HTTPServing
import MediaCore
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// Certificates of listeners that are there and cannot be used.
@Suite struct ListenerSecurityTests {
    private static let good = ["certificate.pem": TestCertificates.first, "private.key": TestCertificates.firstKey]

    /// Origin and control API have the same files: what is wrong with them is one problem.
    @Test(arguments: [
        ("certificate.pem", "nonsense", ServerCertificateError.noCertificate), ("certificate.pem", "", .noCertificate),
        ("certificate.pem", TestCertificates.firstKey, .noCertificate), ("private.key", "nonsense", .noPrivateKey),
        ("private.key", TestCertificates.first, .noPrivateKey), ("private.key", TestCertificates.secondKey, .mismatch),
    ])
    func fileThatCannotBeUsedIsNamedOnce(name: String, text: String, error: ServerCertificateError) throws {
        let stage = try SecurityStage(Self.good.merging([name: text]) { $1 })
        #expect(stage.security.problems.map(\.message) == ["\(stage.directory.file(name)): \(error)"])
        #expect(stage.security.problems.allSatisfy { $0.description.hasPrefix("packager.yaml:") })
        #expect(stage.security.listeners.isEmpty && !stage.security.hasFiles)
    }

    @Test func authorityThatCannotBeUsedIsAProblemOfTheControlAPIAlone() throws {
        let stage = try SecurityStage(
            Self.good.merging(["authority.pem": "nonsense"]) { $1 },
            SecurityStage.certificateSettings.merging(["control-client-authority": "authority.pem"]) { $1 }
        )
        let error = ServerCertificateError.noClientAuthority
        #expect(stage.security.problems.map(\.message) == ["\(stage.directory.file("authority.pem")): \(error)"])
        #expect(stage.security.listeners.map(\.name) == ["origin"])
    }

    @Test func controlAPIMayHaveACertificateOfItsOwn() throws {
        let files = ["control.pem": TestCertificates.second, "control.key": TestCertificates.secondKey]
        let settings = ["control-certificate": "control.pem", "control-private-key": "control.key"]
        let stage = try SecurityStage(
            Self.good.merging(files) { $1 },
            SecurityStage.certificateSettings.merging(settings) { $1 }
        )
        #expect(stage.security.problems.isEmpty)
        #expect(stage.security.listeners.map(\.name) == ["origin", "control"])
        #expect(stage.security.listeners.map(\.setting) == ["tls-certificate", "control-certificate"])
        let expiries = stage.security.listeners.map(\.certificate.value.expiry)
        #expect(expiries.count == 2 && expiries[0] < expiries[1])
    }

    @Test func clientsOfTheControlAPIShowWhoTheyAreWhereASettingAsksForIt() throws {
        #expect(try SecurityStage(Self.good).security.access.isOpenToAll)
        let settings = ["control-client-authority": "certificate.pem"]
        let stage = try SecurityStage(Self.good, SecurityStage.certificateSettings.merging(settings) { $1 })
        #expect(stage.security.problems.isEmpty && !stage.security.access.isOpenToAll)
    }

    @Test func listOfTokensThatCannotBeReadIsAProblem() throws {
        let stage = try SecurityStage(["tokens": "ana owner\n"], ["control-tokens": "tokens"])
        let problem = try #require(stage.security.problems.first)
        #expect(stage.security.problems.count == 1 && problem.message.hasPrefix("\(stage.tokens): line 1: "))
        #expect(stage.security.tokens == nil && !stage.security.hasFiles)
    }
}
