import Foundation
import TestSupport

/// A key server that speaks SPEKE, of which none of our code is a part.
final class KeyServerProcess: Sendable {
    /// A request that it got.
    struct Request: Decodable, Hashable {
        var version: String
        var cpix: String
        var content: String
        var type: String
        /// The number of recipients that it was to encrypt keys for.
        var recipients: Int
        var periods: [[String: String]]
        var schemes: [String]
        /// The keys that it would answer, in hexadecimal digits, by key ID.
        var keys: [String: String]
        var tracks: [String]
        /// The playlists that its lines of HLS are asked for.
        var playlists: [String]
    }

    let url: String
    /// A file of credentials for it.
    let credentials: String
    private let program: Program
    private let directory: TemporaryDirectory
    private let input = Pipe()

    /// Starts it.
    ///
    /// - Parameters:
    ///   - mode: How it behaves, as `speke_server.py` says.
    ///   - versions: What it speaks.
    ///   - certificate: Of TLS, with its key, in PEM; nil for plain HTTP.
    /// - Throws: If it does not start.
    init(_ mode: String = "fine", versions: String = "2.1,2.0", certificate: String? = nil) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        credentials = try directory.write("Authorization: Bearer 5e5a3e\n", to: "fields")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: credentials)
        let file = try directory.write(mode, to: "mode")
        let script = Repository.script("EndToEndTests/Keys/speke_server.py")
        let tls = try certificate.map { [try directory.write($0, to: Self.certificateName)] } ?? []
        let program = try Program(Repository.python, [script, file, versions, "5e5a3e"] + tls, input: input)
        self.program = program
        let port = try await eventually(within: 20, "the key server listens") {
            Int(program.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        url = "\(tls.isEmpty ? "http" : "https")://127.0.0.1:\(port)/speke"
    }

    deinit {
        program.kill()
    }

    /// From now on it behaves otherwise.
    func become(_ mode: String) throws {
        _ = try directory.write(mode, to: "mode")
    }

    /// From now on it has another certificate.
    func present(certificate: String) throws {
        _ = try directory.write(certificate, to: Self.certificateName)
    }

    private static let certificateName = "certificate.pem"

    func requests() async throws -> [Request] {
        try JSONDecoder().decode([Request].self, from: try await HTTP.body(url))
    }

    /// The arguments that tell a packager of it.
    var arguments: [String] { flags.flatMap { [$0, $1] } }

    /// The same by flag.
    var flags: [String: String] { ["--key-source": "speke:\(url)", "--key-credentials": credentials] }
}
