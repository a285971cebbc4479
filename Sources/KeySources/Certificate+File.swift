package import ContentProtection
import Files

extension Certificate {
    /// Reads the first certificate of a PEM file.
    ///
    /// - Throws: ``KeySourceError`` if it cannot be read, or has none of an RSA key.
    package init(file path: String) throws {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.contents(of: path)
        } catch {
            throw KeySourceError("\(path): it cannot be read: \(error.reason)")
        }
        guard let certificate = Certificate(pem: bytes) else {
            throw KeySourceError("\(path): it has no certificate of an RSA key in PEM")
        }
        self = certificate
    }
}
