import HTTPServing

/// A request for a playlist or for media.
struct MediaRequest: Sendable {
    var request: Request
    var channel: OriginChannel
    /// The path below the channel's name.
    var path: Substring
    /// False if the request has waited, and now gets the present state.
    var mayWait = true
}
