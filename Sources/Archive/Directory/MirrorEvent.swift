/// An event of a directory of published files that an operator wants to know of; its description is a sentence.
package enum MirrorEvent: Hashable, Sendable, CustomStringConvertible {
    case began(MirrorProblem, reason: String)
    case ended(MirrorProblem)

    package var description: String {
        switch self {
        case .began(let problem, let reason): problem.beginning(reason)
        case .ended(.unwritten): "all files of --output can be written again, and its playlists go on"
        case .ended(.withdrawn): "the playlists of --output are complete again"
        case .ended(.keyUnwritten): "all keys of --output-keys are written again"
        case .ended(.late): "the disk of --output keeps up again"
        }
    }
}

/// A problem of a directory of published files, which does not affect the origin.
package enum MirrorProblem: String, Hashable, Sendable, CaseIterable {
    /// A write does not return.
    case late
    /// A file could not be written, so that playlists that need it stay as they are.
    case unwritten
    /// Playlists were removed, because their segments expired before newer playlists could be written.
    case withdrawn
    /// A content key could not be written.
    case keyUnwritten

    /// The message at its beginning, and for as long as it lasts.
    func beginning(_ reason: String) -> String {
        switch self {
        case .late: "the disk of --output does not respond, and players of these files stall: \(reason)"
        case .unwritten:
            "a file of --output cannot be written; the packager tries again, and playlists there do not change until then: "
                + reason
        case .keyUnwritten:
            "a key of --output-keys cannot be written; the packager tries again, and nobody can decrypt its segments until then: "
                + reason
        case .withdrawn: "playlists of --output were removed, because segments that they name have expired: \(reason)"
        }
    }
}
