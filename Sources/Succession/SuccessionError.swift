import Glibc

/// The reason why a process cannot hand over to another one.
package struct SuccessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in one phrase.
    package var description: String

    package init(_ description: String) {
        self.description = description
    }

    /// A call of the system has failed.
    init(failed call: String, code: CInt = errno) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}
