import Hummingbird

/// What a route knows of a request besides the request.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client; it may only look until the server has found out who it is.
    var requester = Requester(role: .readOnly)

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}
