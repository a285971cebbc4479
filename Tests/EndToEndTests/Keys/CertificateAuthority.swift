import Foundation
import TestSupport

/// A signer of servers' certificates, made by OpenSSL.
struct CertificateAuthority: Sendable {
    /// A PEM file with its own certificate.
    let certificate: String
    private let name: String
    private let directory: TemporaryDirectory

    private static let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes"]

    init(_ name: String, in directory: TemporaryDirectory) async throws {
        (self.name, self.directory) = (name, directory)
        certificate = directory.file("\(name).pem")
        let files = ["-keyout", directory.file("\(name).key"), "-out", certificate]
        try await Program.run("openssl", Self.request + ["-days", "60", "-subj", "/CN=\(name)"] + files)
    }

    /// A certificate of a server, and its key, in PEM.
    ///
    /// - Parameters:
    ///   - host: As in `subjectAltName`.
    ///   - days: How long it is good.
    /// - Returns: Both, one after the other.
    /// - Throws: What OpenSSL says.
    func certificate(of host: String, days: Int = 30) async throws -> String {
        let (key, file) = (directory.file("server.key"), directory.file("server.pem"))
        let signing = ["-CA", certificate, "-CAkey", directory.file("\(name).key")]
        let subject = ["-days", "\(days)", "-subj", "/CN=server", "-addext", "subjectAltName=\(host)"]
        try await Program.run("openssl", Self.request + signing + subject + ["-keyout", key, "-out", file])
        return try [file, key].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
    }
}
