import HTTPServing
import NIOCore
import NIOHTTP1

/// Reads the requests of one connection and says what is due, without doing it.
///
/// Whatever follows the last request (RFC 9112 § 9.3) is dropped, and so is the body of a request whose answer does not
/// depend on it.
struct RequestReader {
    /// What came from the client and has its turn.
    enum Arrival {
        case part(HTTPServerRequestPart)
        case malformed(HTTPParserError)
        /// What is posted does not come to its end in time.
        case late
        /// The client sends nothing more, and wants its answers.
        case end
    }

    enum Action {
        case nothing
        case answer(OriginRequest)
        /// What is posted is longer than anything that is waited for.
        case rejectBody(OriginRequest)
        /// What came cannot be read as a request.
        case rejectUnread(Rejection)
        case closeOutput
    }

    private enum State {
        case head
        /// A request whose answer depends on what is posted.
        case posted(OriginRequest)
        /// What follows the head of a request that has its answer, or will have; with how many bytes of it have come.
        case rest(Int)
        case closed
    }

    private let maximumBodyBytes: Int
    private let wantsBody: (OriginRequest) -> Bool
    private var state = State.head
    /// Tells the client's address from others.
    var client = 0
    /// Whether the connection is encrypted.
    var isSecure = false
    /// The same as text.
    var address = ""
    /// Whether the request that was read last is the last one.
    private(set) var isLast = false

    /// - Parameters:
    ///   - maximumBodyBytes: What a request may post at most.
    ///   - wantsBody: Whether a request has a body that its answer depends on.
    init(maximumBodyBytes: Int, wantsBody: @escaping (OriginRequest) -> Bool) {
        self.maximumBodyBytes = maximumBodyBytes
        self.wantsBody = wantsBody
    }

    var isBetweenRequests: Bool {
        if case .head = state { true } else { false }
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether an answer waits for what is posted.
    var awaitsBody: Bool {
        if case .posted = state { true } else { false }
    }

    /// Nothing that comes from now on counts.
    mutating func close() { state = .closed }

    mutating func take(_ arrival: Arrival) -> Action {
        switch (arrival, state) {
        case (_, .closed):
            return .nothing
        case (.part(.head(let head)), _):
            return begin(head)
        case (.part(.body(let bytes)), .posted(var request)):
            guard request.body.readableBytes + bytes.readableBytes <= maximumBodyBytes else {
                // What remains of it is not waited for.
                isLast = true
                return .rejectBody(request)
            }
            // Nobody else may hold it while it grows.
            state = .rest(0)
            request.body.writeImmutableBuffer(bytes)
            state = .posted(request)
            return .nothing
        case (.part(.body(let bytes)), .rest(let count)):
            state = .rest(count + bytes.readableBytes)
            guard count + bytes.readableBytes > maximumBodyBytes else { return .nothing }
            // The request has its answer, and nobody wants so much of what follows.
            state = .closed
            return .closeOutput
        case (.part(.body), _), (.late, .head), (.late, .rest):
            return .nothing
        case (.late, .posted):
            isLast = true
            return .rejectUnread(Rejection(.requestTimeout))
        case (.part(.end), .posted(let request)):
            state = .head
            return .answer(request)
        case (.part(.end), _):
            state = .head
            return .nothing
        case (.malformed, .rest):
            // The request has its answer: another one would be taken for that of the next.
            state = .closed
            return .closeOutput
        case (.malformed(let error), _):
            isLast = true
            return .rejectUnread(Rejection(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest))
        case (.end, _):
            return .closeOutput
        }
    }

    private mutating func begin(_ head: HTTPRequestHead) -> Action {
        guard let head = head.inOriginForm() else { return take(.malformed(.invalidHeaderToken)) }
        isLast = head.isLastOfConnection
        var request = OriginRequest(head.method, head.uri, head.headers, client: client, isSecure: isSecure)
        request.clientAddress = address
        if wantsBody(request) {
            state = .posted(request)
            return .nothing
        }
        state = .rest(0)
        return .answer(request)
    }
}
