package import Files

/// A file that gives no master secret.
package struct MasterSecretFileError: Error, Hashable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// A file that cannot be opened, read or made, or is not a plain file.
        case file(FileError)
        /// Group or others have some right to it.
        case accessibleByOthers(mode: UInt32)
        /// The file has neither 32 raw bytes nor 64 hexadecimal digits.
        case malformed
        case noRandomness(OpenSSLError)
    }

    package var path: String
    package var reason: Reason

    init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    package var description: String {
        if case .file(let error) = reason { "\(error)" } else { "\(path): \(detail)" }
    }

    /// The reason alone, for messages that already name the path.
    package var detail: String {
        switch reason {
        case .file(let error):
            error.reason
        case .accessibleByOthers(let mode):
            "mode \(String(mode, radix: 8)) lets others use the secret; run: chmod 600 \(path)"
        case .malformed:
            "a secret is 32 bytes, or 64 hexadecimal digits and a line end, as `openssl rand -hex 32` prints"
        case .noRandomness(let error):
            "\(error)"
        }
    }
}
