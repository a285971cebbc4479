package import Files

/// Why a journal cannot be kept at all.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    case unusable(FileError)
    /// Another process writes to the directory.
    case inUse(directory: String)

    package var description: String {
        switch self {
        case .unusable(let error): "the state directory cannot be used: \(error)"
        case .inUse(let directory): "the state directory \(directory) is in use by another packager"
        }
    }
}
