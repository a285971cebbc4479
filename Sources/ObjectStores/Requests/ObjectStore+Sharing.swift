import Fetching
import MediaCore
import NIOCore
import NIOHTTP1

/// Media playlists that both members of a pair store; the newer one stays.
///
/// Each object has the number of its newest slot, and is replaced only if it is still the one that was seen last (RFC
/// 9110 § 13.1.1). A store that knows no conditions keeps the one that came last.
extension ObjectStore {
    /// A media playlist in the store.
    private struct Found {
        var entityTag: String?
        var end: Int64?
    }

    private static let endField = "x-amz-meta-end"
    /// The number of times that the other member may come first.
    private static let attempts = 3
    /// The most slots that the other member may be ahead.
    ///
    /// A playlist that is further ahead is of another stream.
    private static let mostSlotsAhead: Int64 = 16

    /// Stores a media playlist, unless the store has one that lists more.
    ///
    /// - Parameters:
    ///   - path: The path of the playlist, below the destination.
    ///   - text: The text of the playlist.
    ///   - end: The slot after the newest that it lists.
    ///   - entityTag: The store's entity tag of the last one; nil if that is not known.
    /// - Returns: The result, and the entity tag of the stored one.
    func put(
        _ path: String,
        _ text: ByteBuffer,
        listingUntil end: MediaSequenceNumber,
        replacing entityTag: String?
    ) async -> (StoreAnswer, entityTag: String?) {
        var entityTag = entityTag
        for _ in 0..<Self.attempts {
            let condition = entityTag.map { ("If-Match", $0) } ?? ("If-None-Match", "*")
            var newTag: String?
            let answer = await put(path, text, [condition, (Self.endField, "\(end.value)")]) {
                newTag = $0.first(name: "ETag")
            }
            switch answer {
            case .done: return (answer, newTag)
            case .failed(.refused(501, _), _): return (await put(path, text, isNew: false), nil)
            case .alreadyThere, .failed(.absent(404, "NoSuchKey"?), _), .failed(.busy(409, _), _):
                let (found, problem) = await findPlaylist(path)
                // S3 answers 403 for a missing object if the client may not list the bucket. Storing it as a new one
                // shows if more is forbidden.
                let mayBeMissing = if case .forbidden = problem { entityTag != nil } else { false }
                if let problem, !mayBeMissing { return (.failed(problem, retryAfter: nil), entityTag) }
                if let theirs = found.end, end.value...end.value + Self.mostSlotsAhead ~= theirs {
                    return (.alreadyThere, found.entityTag)
                }
                entityTag = found.entityTag
            case .missing, .failed: return (answer, entityTag)
            }
        }
        return (.failed(.busy(status: 412, code: nil), retryAfter: nil), entityTag)
    }

    /// Looks for the playlist in the store.
    ///
    /// - Returns: The finding, or the problem that prevents one.
    private func findPlaylist(_ path: String) async -> (Found, StoreProblem?) {
        var found = Found()
        let answer = await send(.HEAD, path, nil, [:]) { answer, now in
            found.entityTag = answer.fields.first(name: "ETag")
            found.end = answer.fields.first(name: Self.endField).flatMap { Int64($0) }
            return answer.status == 404 ? .missing : StoreAnswer(toPut: answer, now: now)
        }
        return (found, answer.problem)
    }
}
