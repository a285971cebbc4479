import Files
import Glibc
import NIOCore

/// A file that only its owner may read.
package enum SecretFile {
    /// Reads it.
    ///
    /// - Parameters:
    ///   - path: A regular file, or a link to one, that only its owner may use.
    ///   - limit: More bytes are not read.
    /// - Returns: Its bytes.
    /// - Throws: ``MasterSecretFileError``: missing, not readable, or usable by others.
    package static func contents(path: String, atMost limit: Int) throws(MasterSecretFileError) -> [UInt8] {
        let file: OpenFile
        let mode: mode_t
        do throws(FileError) {
            file = try OpenFile(path, O_RDONLY, followsLinks: true)
            mode = try file.status().permissions & 0o777
        } catch {
            throw MasterSecretFileError(path, .file(error))
        }
        guard mode & 0o077 == 0 else { throw MasterSecretFileError(path, .accessibleByOthers(mode: mode)) }
        do throws(FileError) {
            return Array(try file.read(atMost: limit).readableBytesView)
        } catch {
            throw MasterSecretFileError(path, .file(error))
        }
    }
}
