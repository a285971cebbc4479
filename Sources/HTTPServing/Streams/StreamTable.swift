import NIOCore
import NIOHTTP2

/// The streams of one connection of HTTP/2, each with one request.
///
/// It decides on actions, and has no I/O.
///
/// A stream is here from its first HEADERS until both sides have closed it. What the protocol itself demands, such as
/// a body as long as its `Content-Length` and the number of streams, was checked before (see ``MultiplexLimits``).
struct StreamTable {
    /// A request without an answer, and its responder.
    struct Asked {
        let responder: any Responder
        let request: Request
        /// The time when it could be answered.
        var since: NIODeadline
    }

    enum Action {
        case nothing
        /// A request begins: its verdict is wanted.
        case decide
        case answer(Asked, Reply)
        /// The request is malformed, and its stream is reset.
        case refuse
        /// There were too many of these, and the client loses the connection.
        case end
    }

    /// The cause of a time that is up.
    enum Overdue {
        /// The body that an answer depends on is not complete.
        case body(Asked)
        /// The client does not take sent bytes.
        case taking
    }

    /// An answer that is read from a disk.
    struct Reading {
        let readers: Readers
        /// Tells the network of the client from others.
        let client: Int
        let work: @Sendable () -> Answer
    }

    indirect enum Phase {
        /// The answer is being decided on or written.
        case open
        case posted(Posted)
        case pending(Asked)
        /// The answer is to be read once it is the stream's turn.
        case queued(Asked, Reading)
        /// The reply is found once the wait is over.
        case waiting(Asked, reply: @Sendable () -> Reply)
        /// The body is written while it is made.
        case streamed
    }

    /// A request whose answer depends on its body.
    struct Posted {
        var asked: Asked
        let limit: Int
        let reply: @Sendable (ByteBuffer?) -> Reply
        var body = ByteBuffer()
        var extent = RequestReader.Extent()
    }

    struct Stream {
        /// True if the client has sent all of the request.
        var isWhole: Bool
        var phase = Phase.open
        /// The time at which the stream is overdue.
        var deadline = NIODeadline.distantFuture
        /// Cancels the making of the answer, if the client leaves before that.
        var cancel: (() -> Void)?

        /// Notes that the whole answer is written, and returns true if the client has sent all of the request.
        mutating func isAnswered(until deadline: NIODeadline) -> Bool {
            (phase, self.deadline) = (.open, deadline)
            return isWhole
        }
    }

    enum Ending {
        case none
        /// The client was told of the end, but may not know it yet.
        case announced
        /// No request comes any more.
        case closing
        case over
    }

    let idleTime: TimeAmount
    private let bodyTime: TimeAmount
    let writeTime: TimeAmount
    var streams: [HTTP2StreamID: Stream] = [:]
    private var refusals = RefusalCount()
    var turns = StreamTurns(count: MultiplexLimits.turns)
    /// Streams whose request is whole.
    var requests = 0
    var lastStream = HTTP2StreamID.rootStream
    var idleEnd: NIODeadline
    var ending = Ending.none
    /// The earliest time at which a stream, or the idle connection, is overdue.
    var earliest: NIODeadline

    init(timeouts: ConnectionTimeouts, now: NIODeadline) {
        idleTime = TimeAmount(timeouts.idle)
        bodyTime = TimeAmount(timeouts.body)
        writeTime = TimeAmount(timeouts.write)
        idleEnd = now + idleTime
        earliest = idleEnd
    }

    /// True while a whole request waits for its answer, or for the end of the answer.
    var isAsked: Bool { requests > 0 }

    /// True once the client was told to send no more requests.
    var isEnding: Bool { ending != .none }

    /// True if the client was told of the end, but may not know it yet.
    var isAnnounced: Bool { ending == .announced }

    func contains(_ id: HTTP2StreamID) -> Bool { streams[id] != nil }

    func isStreamed(_ id: HTTP2StreamID) -> Bool {
        if case .streamed? = streams[id]?.phase { true } else { false }
    }
}

extension StreamTable {
    /// Takes the head of a request, or its trailers.
    mutating func headers(
        _ head: HTTP2Frame.FramePayload.Headers,
        on id: HTTP2StreamID,
        at now: NIODeadline
    ) -> Action {
        // A client's streams have ever higher numbers (RFC 9113 § 5.1.1), so that a new one need not be looked up.
        if id <= lastStream, streams[id] != nil {
            guard head.headers.canBeTrailers else { return refuse(at: now) }
            return head.endStream ? end(id, at: now) : .nothing
        }
        guard head.headers.canBeginRequest else { return refuse(at: now) }
        streams[id] = Stream(isWhole: head.endStream)
        lastStream = max(lastStream, id)
        if head.endStream { requests += 1 }
        return .decide
    }

    /// Refuses a malformed request (RFC 9113 § 8.1.1).
    ///
    /// The answer to a request with malformed trailers may have cost something already (CVE-2025-8671).
    private mutating func refuse(at now: NIODeadline) -> Action { refusals.add(at: now) ? .refuse : .end }

    /// Takes the verdict on a request that has begun.
    mutating func decided(
        _ verdict: Verdict,
        about asked: Asked,
        on id: HTTP2StreamID,
        at now: NIODeadline
    ) -> Action {
        switch verdict {
        case .answer(let reply):
            return .answer(asked, reply)
        case .body(let limit, let reply):
            guard streams[id]?.isWhole == false else { return .answer(asked, reply(ByteBuffer())) }
            streams[id]?.phase = .posted(Posted(asked: asked, limit: limit, reply: reply))
            setDeadline(now + bodyTime, of: id)
            return .nothing
        }
    }

    /// Takes a piece of a body; pieces without use are dropped.
    mutating func data(_ bytes: ByteBuffer, isLast: Bool, on id: HTTP2StreamID, at now: NIODeadline) -> Action {
        if case .posted(var posted)? = streams[id]?.phase {
            // The buffer must have no other holder while it grows.
            streams[id]?.phase = .open
            posted.extent = posted.extent.adding(bytes)
            if posted.extent.isWithin(posted.limit) {
                posted.body.writeImmutableBuffer(bytes)
                streams[id]?.phase = .posted(posted)
            } else {
                if isLast { _ = end(id, at: now) }
                return answer(posted, nil, on: id, at: now)
            }
        }
        return isLast ? end(id, at: now) : .nothing
    }

    /// The client has sent all of a request.
    private mutating func end(_ id: HTTP2StreamID, at now: NIODeadline) -> Action {
        guard let stream = streams[id], !stream.isWhole else { return .nothing }
        streams[id]?.isWhole = true
        requests += 1
        guard case .posted(let posted) = stream.phase else { return .nothing }
        return answer(posted, posted.body, on: id, at: now)
    }

    private mutating func answer(
        _ posted: Posted,
        _ body: ByteBuffer?,
        on id: HTTP2StreamID,
        at now: NIODeadline
    ) -> Action {
        streams[id]?.phase = .open
        streams[id]?.deadline = .distantFuture
        var asked = posted.asked
        asked.since = now
        return .answer(asked, posted.reply(body))
    }

    /// Returns the bytes by which the client's window grows, once half of it is used.
    ///
    /// On a stream, only a body that an answer depends on gets more than the first window.
    ///
    /// - Parameters:
    ///   - id: The stream, or the root stream for the whole connection.
    ///   - window: The bytes that the client may still send.
    /// - Returns: The bytes; nil for no change.
    func increment(on id: HTTP2StreamID, window: Int) -> Int? {
        guard window < Self.window / 2 else { return nil }
        if id != .rootStream {
            guard case .posted? = streams[id]?.phase else { return nil }
        }
        return Self.window - window
    }

    /// RFC 9113 § 6.9.2.
    private static let window = 65_535
}
