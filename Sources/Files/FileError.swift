import Glibc

/// A file system call that failed, or a file with unexpected content.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    package var operation: String
    package var path: String
    /// The value of `errno`; 0 if no call failed.
    package var code: CInt
    /// The reason, in one phrase.
    package var reason: String

    package init(operation: String, path: String, code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
        reason = String(cString: strerror(code))
    }

    package init(operation: String, path: String, reason: String) {
        self.operation = operation
        self.path = path
        code = 0
        self.reason = reason
    }

    /// True if removing other files may help.
    package var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT }

    package var description: String { "\(operation) \(path.replacing("/./", with: "/")): \(reason)" }
}
