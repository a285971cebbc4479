package import Files

/// The reason why a journal cannot be kept at all.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    case unusable(FileError)
    /// Another process writes to the directory.
    case inUse(directory: String)
    /// A journal that was written with another master secret; both as a configuration names them.
    case anotherSecret(was: String, is: String)

    package var description: String {
        switch self {
        case .unusable(let error): "the state directory cannot be used: \(error)"
        case .inUse(let directory): "the state directory \(directory) is in use by another packager"
        case .anotherSecret(let was, let now):
            """
            the master secret is another one than before (it was \(was), and is \(now)): give back the one before, as \
            --key-secret or in the state directory, or give --accept-new-secret to go on with new keys and without the \
            segments that only the keys before can decrypt
            """
        }
    }
}
