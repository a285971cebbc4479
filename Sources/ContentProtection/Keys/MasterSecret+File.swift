import Files
import Glibc
import MediaCore
import NIOCore

extension MasterSecret {
    /// Reads a secret: 32 raw bytes, or 64 hexadecimal digits with or without a line end.
    ///
    /// - Parameter path: A regular file, or a link to one, that only its owner may use.
    /// - Returns: The secret.
    /// - Throws: ``MasterSecretFileError``: missing, not readable, usable by others, or with other contents.
    package static func load(path: String) throws(MasterSecretFileError) -> MasterSecret {
        let contents = try SecretFile.contents(path: path, atMost: 2 * standardSize + 3)
        guard let secret = MasterSecret(fileContents: contents) else {
            throw MasterSecretFileError(path, .malformed)
        }
        return secret
    }

    /// Reads a secret as ``load(path:)`` does; if there is no file, writes one, mode 0600.
    ///
    /// The file appears whole or not at all. Of several processes that do this at once, one writes its secret and all
    /// of them return it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - known: The secret for a file that is written; nil for a random one.
    /// - Returns: The secret in the file.
    /// - Throws: The errors of ``load(path:)``, or ``MasterSecretFileError`` if no file can be made.
    package static func loadOrCreate(
        path: String,
        writing known: MasterSecret? = nil
    ) throws(MasterSecretFileError) -> MasterSecret {
        do {
            return try load(path: path)
        } catch {
            guard case .file(let cause) = error.reason, cause.code == ENOENT else { throw error }
            try create(path: path, known)
            return try load(path: path)
        }
    }

    /// The contents of a secret file, or nil.
    init?(fileContents: [UInt8]) {
        let lineEnd = fileContents.suffix(2) == [0x0D, 0x0A] ? 2 : fileContents.last == 0x0A ? 1 : 0
        let text = String(decoding: fileContents.dropLast(lineEnd), as: UTF8.self)
        if let high = Bytes16(hex: text.prefix(32)), let low = Bytes16(hex: text.dropFirst(32)) {
            self.init(high.bytes + low.bytes)
        } else if fileContents.count == Self.standardSize, Bytes16(hex: text) == nil {
            // 32 hexadecimal digits are no random bytes but half a secret, which a line end must not turn into another.
            self.init(fileContents)
        } else {
            return nil
        }
    }

    private static func create(path: String, _ known: MasterSecret?) throws(MasterSecretFileError) {
        let secret: MasterSecret
        do {
            // `??` would forget the type of the error.
            secret = if let known { known } else { try random() }
        } catch {
            throw MasterSecretFileError(path, .noRandomness(error))
        }
        let temporaryPath = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).new"
        defer { unsafe unlink(temporaryPath) }
        do throws(FileError) {
            let file = try OpenFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(ByteBuffer(string: "\(secret.bytes.hex)\n"), at: 0)
            try file.synchronize()
            // Unlike rename, link never replaces the file of a process that was faster.
            guard unsafe link(temporaryPath, path) == 0 || errno == EEXIST else {
                throw FileError(operation: "link", path: path, code: errno)
            }
        } catch {
            throw MasterSecretFileError(path, .file(error))
        }
    }
}
