import NIOCore
import NIOHTTP1

/// Reads the requests of one connection and returns the due actions without performing them.
///
/// Bytes after the last request (RFC 9112 § 9.3) are dropped, and so is the body of a request if its answer ignores it.
struct RequestReader {
    /// A piece of the client's input, in the order in which it is read.
    enum Arrival {
        case part(HTTPServerRequestPart)
        case malformed(HTTPParserError)
        /// The body of a posted request is not complete in time.
        case late
        /// The client sends nothing more, and wants its answers.
        case end
    }

    enum Action {
        case nothing
        case answer(Request, Reply)
        /// The client waits for a word before it sends the body (RFC 9110 § 10.1.1).
        case invite
        /// The input cannot be read as a request, or a request does not come to its end.
        case reject(HTTPResponseStatus)
        case closeOutput
    }

    private enum State {
        case head
        /// A request whose answer depends on its body.
        case posted(Posted)
        /// The rest of a request whose answer does not depend on it, with its extent so far.
        case rest(Extent)
        case closed
    }

    private struct Posted {
        let request: Request
        let limit: Int
        let reply: @Sendable (ByteBuffer?) -> Reply
        var body = ByteBuffer()
        var extent = Extent()
    }

    /// The most pieces that a body may come in: a chunk of one byte costs as much to read as a long one.
    static let mostPieces = 2_048

    /// The extent of a body so far.
    struct Extent {
        private var bytes = 0
        private var pieces = 0

        func adding(_ piece: ByteBuffer) -> Extent {
            var extent = self
            extent.bytes += piece.readableBytes
            extent.pieces += 1
            return extent
        }

        func isWithin(_ limit: Int) -> Bool { bytes <= limit && pieces <= RequestReader.mostPieces }
    }

    private let maximumBodyBytes: Int
    private let verdict: (Request) -> Verdict
    private var state = State.head
    /// Tells the client's address from others.
    var client = 0
    /// Tells the client's network from others.
    var network = 0
    /// True if the connection is encrypted.
    var isSecure = false
    /// The same as text.
    var address = ""
    /// True if the request that was read last is the last one of the connection.
    private(set) var isLast = false
    /// True if the answer to it may come in chunks (RFC 9112 § 7.1).
    private(set) var takesChunks = true

    /// - Parameters:
    ///   - maximumBodyBytes: The most bytes that are read of a body that no answer depends on.
    ///   - verdict: Decides how a request is answered.
    init(maximumBodyBytes: Int, verdict: @escaping (Request) -> Verdict) {
        self.maximumBodyBytes = maximumBodyBytes
        self.verdict = verdict
    }

    var isBetweenRequests: Bool {
        if case .head = state { true } else { false }
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// True if an answer waits for the body of a posted request.
    var awaitsBody: Bool {
        if case .posted = state { true } else { false }
    }

    /// Returns true if this belongs to a request that waits for no more, and costs nothing to read.
    func discards(_ arrival: Arrival) -> Bool {
        guard case .rest(let extent) = state else { return false }
        return switch arrival {
        case .part(.body(let bytes)): extent.adding(bytes).isWithin(maximumBodyBytes)
        case .part(.end): true
        default: false
        }
    }

    /// Makes the present request the last one, because more of it may come.
    mutating func endsConnection() { isLast = true }

    /// Ignores all further input.
    mutating func close() { state = .closed }

    mutating func take(_ arrival: Arrival) -> Action {
        switch (arrival, state) {
        case (_, .closed):
            return .nothing
        case (.part(.head(let head)), _):
            return begin(head)
        case (.part(.body(let bytes)), .posted(var posted)):
            // The buffer must have no other holder while it grows.
            state = .rest(Extent())
            posted.extent = posted.extent.adding(bytes)
            guard posted.extent.isWithin(posted.limit) else {
                // The rest of the request is not read.
                isLast = true
                return .answer(posted.request, posted.reply(nil))
            }
            posted.body.writeImmutableBuffer(bytes)
            state = .posted(posted)
            return .nothing
        case (.part(.body(let bytes)), .rest(let before)):
            let extent = before.adding(bytes)
            state = .rest(extent)
            if extent.isWithin(maximumBodyBytes) { return .nothing }
            // The request has its answer, and the rest of its body is too long to be read.
            state = .closed
            return .closeOutput
        case (.part(.body), _), (.late, .head), (.late, .rest):
            return .nothing
        case (.late, .posted):
            isLast = true
            return .reject(.requestTimeout)
        case (.part(.end), .posted(let posted)):
            state = .head
            return .answer(posted.request, posted.reply(posted.body))
        case (.part(.end), _):
            state = .head
            return .nothing
        case (.malformed, .rest):
            // The request has its answer: the client would take another one for the answer to its next request.
            state = .closed
            return .closeOutput
        case (.malformed(let error), _):
            isLast = true
            return .reject(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest)
        case (.end, _):
            return .closeOutput
        }
    }

    private mutating func begin(_ head: HTTPRequestHead) -> Action {
        guard let head = head.inOriginForm() else { return take(.malformed(.invalidHeaderToken)) }
        isLast = head.isLastOfConnection
        takesChunks = head.version != .http1_0
        var request = Request(head.method, head.uri, head.headers, client: client, isSecure: isSecure)
        request.network = network
        request.clientAddress = address
        request.takesFiles = !isSecure
        if !takesChunks { request.protocolName = "HTTP/1.0" }
        switch verdict(request) {
        case .answer(let reply):
            state = .rest(Extent())
            return .answer(request, reply)
        case .body(let limit, let reply):
            state = .posted(Posted(request: request, limit: limit, reply: reply))
            return takesChunks && request.expectsInvitation ? .invite : .nothing
        }
    }
}
