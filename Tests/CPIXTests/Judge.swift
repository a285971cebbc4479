import ContentProtection
import Foundation
import TestSupport
import Testing

/// An RSA key with its certificate, and a directory for what OpenSSL and xmlsec1 read and write.
final class Judge: Sendable {
    private let directory: URL
    let certificate: Certificate
    let privateKey: PrivateKey

    init() async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "cpix-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=judge", "-days", "2"]
        let (key, file) = (directory.appending(path: "key.pem").path, directory.appending(path: "certificate.pem").path)
        try await Program.run("openssl", request + ["-keyout", key, "-out", file])
        certificate = try #require(Certificate(pem: Array(try Data(contentsOf: URL(filePath: file)))))
        privateKey = try #require(PrivateKey(pem: Array(try Data(contentsOf: URL(filePath: key)))))
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    var keyFile: String { directory.appending(path: "key.pem").path }
    var certificateFile: String { directory.appending(path: "certificate.pem").path }

    /// Runs OpenSSL on bytes; some of its programs want what they are to do behind all options.
    func openssl(_ arguments: [String], on input: [UInt8], algorithm: [String] = []) async throws -> [UInt8] {
        let file = try write(input, to: UUID().uuidString)
        try await Program.run("openssl", arguments + ["-in", file, "-out", "\(file).out"] + algorithm)
        return Array(try Data(contentsOf: URL(filePath: "\(file).out")))
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = directory.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Has xmlsec1 sign a document by its template.
    func sign(_ document: String) async throws -> String {
        let file = try write(document.utf8, to: "template.xml")
        let key = "\(keyFile),\(certificateFile)"
        let options = ["--sign", "--privkey-pem", key, "--id-attr:id", "ContentKeyList"]
        return try await Program.run("xmlsec1", options + [file])
    }
}
