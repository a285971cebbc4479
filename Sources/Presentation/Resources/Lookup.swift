/// What there is for a path.
package enum Lookup: Hashable, Sendable {
    case found(Resource)
    case notFound(NotFound)
    /// Nothing is listed yet; worth asking again after this many seconds.
    case starting(retryAfter: Int)

    package enum NotFound: Hashable, Sendable {
        /// There never was such a path, or there is not yet.
        case unknown
        /// The segment is listed as EXT-X-GAP.
        case gap
        /// The segment has left the window, and the time that players were given to fetch it has passed.
        case expired
    }
}
