import PackagerConfig
import Testing

@Suite struct SecuritySettingTests {
    private static let input = ["input": ["a.ts"]]

    private static func problems(_ flags: [String: String]) -> [String] {
        PackagerConfigTests.problems(flags: flags.mapValues { [$0] }.merging(input) { given, _ in given })
    }

    private static func warnings(_ flags: [String: String]) throws -> [String] {
        try Configuration.load(flags: flags.mapValues { [$0] }.merging(input) { given, _ in given })
            .warnings.map(\.description)
    }

    @Test func aCertificateHasItsKey() {
        for name in ["tls", "control"] {
            let problem = "\(name)-certificate and \(name)-private-key go together"
            #expect(Self.problems(["\(name)-certificate": "a"]) == ["--\(name)-certificate: \(problem)"])
            #expect(Self.problems(["\(name)-private-key": "a"]) == ["--\(name)-private-key: \(problem)"])
            #expect(Self.problems(["\(name)-certificate": "a", "\(name)-private-key": "b"]).isEmpty)
        }
    }

    @Test func clientsShowCertificatesOverTLSOnly() {
        let authority = ["control-client-authority": "ca.pem"]
        #expect(
            Self.problems(authority) == [
                "--control-client-authority: clients show certificates over TLS only; give tls-certificate or "
                    + "control-certificate"
            ]
        )
        for name in ["tls", "control"] {
            let pair = ["\(name)-certificate": "a", "\(name)-private-key": "b"]
            #expect(Self.problems(pair.merging(authority) { given, _ in given }).isEmpty)
        }
    }

    @Test func aPeerWithoutACertificateHasNoneToBeChecked() {
        let problem = "--peer-authority: there is no certificate to check; give the URL of the peer with https"
        #expect(Self.problems(["peer-authority": "ca.pem"]) == [problem])
        #expect(Self.problems(["peer-authority": "ca.pem", "peer": "http://10.0.0.2:8080"]) == [problem])
        #expect(Self.problems(["peer-authority": "ca.pem", "peer": "https://10.0.0.2:8080"]).isEmpty)
    }

    @Test(arguments: ["127.0.0.1:8081", "127.0.0.2:0", "[::1]:8081", "localhost:8081", nil])
    func nobodyElseReachesTheLoopbackInterface(control: String?) throws {
        #expect(try Self.warnings(control.map { ["control": $0] } ?? [:]) == [])
    }

    @Test(arguments: ["0.0.0.0:8081", "[::]:8081", "192.0.2.7:8081", "control.example.com:8081"])
    func controlAPIThatEverybodyMayUseIsWarnedOf(control: String) throws {
        #expect(
            try Self.warnings(["control": control]) == [
                "--control: every client that reaches \(control) may select inputs, post cues and delete recordings, and only "
                    + "clients on this machine may change channels; give control-tokens or control-client-authority, or "
                    + "listen on 127.0.0.1"
            ]
        )
        let pair = ["tls-certificate": "a", "tls-private-key": "b", "control": control]
        #expect(try Self.warnings(pair.merging(["control-client-authority": "c"]) { given, _ in given }) == [])
        #expect(try Self.warnings(pair.merging(["control-tokens": "c"]) { given, _ in given }) == [])
        #expect(
            try Self.warnings(["control": control, "control-tokens": "c"]) == [
                "--control-tokens: tokens cross the network to \(control) in the clear; give tls-certificate, or let a "
                    + "proxy encrypt them"
            ]
        )
    }
}
