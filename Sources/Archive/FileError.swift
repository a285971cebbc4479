import Glibc

/// A file system call that failed.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    package var operation: String
    package var path: String
    /// As `errno` says it.
    package var code: CInt

    package init(operation: String, path: String, code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    package var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
}
