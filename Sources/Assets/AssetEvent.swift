/// An event of the assets of a channel; its description is a sentence.
package enum AssetEvent: Hashable, Sendable, CustomStringConvertible {
    case made(id: String, path: String)
    case failed(id: String, reason: String)
    case expired(id: String)
    case notRemoved(id: String, reason: String)
    /// The keys of an asset are not available, and perhaps those of older ones.
    case withoutKeys(id: String, reason: String)
    /// Entries of the directory cannot be read.
    case skipped(count: Int, reason: String)
    case unopened(reason: String)

    /// True for a failure.
    package var isFailure: Bool {
        switch self {
        case .failed, .notRemoved, .withoutKeys, .skipped, .unopened: true
        case .made, .expired: false
        }
    }

    package var description: String {
        switch self {
        case .made(let id, let path): "recording \(id) is finished: viewers have it at \(path)"
        case .failed(let id, let reason): "recording \(id) cannot be made, and viewers do not have it: \(reason)"
        case .expired(let id): "recording \(id) has expired and was removed"
        case .notRemoved(let id, let reason):
            "recording \(id) has expired, but its files cannot be removed yet: \(reason)"
        case .withoutKeys(let id, let reason):
            "the keys of recording \(id) are not available at the moment, and viewers cannot play it: \(reason)"
        case .skipped(let count, let reason):
            "entries of finished recordings that cannot be read, and are left out: \(count); the first: \(reason)"
        case .unopened(let reason): "the channel begins without its finished recordings: \(reason)"
        }
    }
}
