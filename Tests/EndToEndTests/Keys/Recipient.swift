import Foundation
import TestSupport

/// A recipient that content keys are encrypted for, made by OpenSSL.
struct Recipient: Sendable {
    /// A PEM file with the private key and the certificate.
    var file: String
    /// A PEM file with the certificate.
    var certificate: String

    init(in directory: TemporaryDirectory) async throws {
        (file, certificate) = (directory.file("recipient.pem"), directory.file("certificate.pem"))
        let key = directory.file("key.pem")
        let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=recipient", "-days", "2"]
        try await Program.run("openssl", request + ["-keyout", key, "-out", certificate])
        let both = try [key, certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        _ = try directory.write(both, to: "recipient.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}
