/// A path that came, changed or went.
package struct ResourceChange: Hashable, Sendable {
    /// Below the channel's name.
    package var path: String
    /// What it names now; nil if nothing.
    package var body: Body?
    /// Where it stands in an order in which nothing refers to what is not there yet.
    let rank: Int

    init(path: String, resource: Resource?) {
        self.path = path
        body = resource?.body
        rank =
            switch resource?.kind {
            case .initialization: 0
            case .segment: 1
            case .mediaPlaylist: 2
            case .multivariantPlaylist: 3
            case nil: 4
            }
    }
}
