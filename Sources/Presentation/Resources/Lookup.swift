/// The result of looking up a path.
package enum Lookup: Hashable, Sendable {
    case found(Resource)
    case notFound(NotFound)
    /// No slot is listed yet; the client may ask again after this many seconds.
    case starting(retryAfter: Int)

    package enum NotFound: Hashable, Sendable {
        /// The path never existed, or does not exist yet.
        case unknown
        /// The segment is listed as EXT-X-GAP.
        case gap
        /// The segment has left the window, and the time that players were given to fetch it has passed.
        case expired
    }
}
