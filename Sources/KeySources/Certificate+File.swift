package import ContentProtection
import Foundation

extension Certificate {
    /// Reads the first certificate of a PEM file.
    ///
    /// - Throws: ``KeySourceError`` where it cannot be read, or has none of an RSA key.
    package init(file path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw KeySourceError("\(path): it cannot be read")
        }
        guard let certificate = Certificate(pem: Array(data)) else {
            throw KeySourceError("\(path): it has no certificate of an RSA key in PEM")
        }
        self = certificate
    }
}
