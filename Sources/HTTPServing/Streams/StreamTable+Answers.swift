import NIOCore
import NIOHTTP2

/// Phases of answers, and the ends of streams.
extension StreamTable {
    /// Notes that the answer to a request is on its way.
    mutating func pends(_ asked: Asked, on id: HTTP2StreamID) { streams[id]?.phase = .pending(asked) }

    /// The answer is to be read from a disk, in the stream's turn, which it has until it is closed.
    ///
    /// - Returns: True if it is its turn.
    mutating func reads(_ reading: Reading, _ asked: Asked, on id: HTTP2StreamID) -> Bool {
        let isTurn = turns.take(id)
        streams[id]?.phase = isTurn ? .pending(asked) : .queued(asked, reading)
        return isTurn
    }

    /// Notes that the answer has come that a request waits for.
    ///
    /// - Returns: The request; nil if its client has left.
    mutating func concludes(_ id: HTTP2StreamID) -> Asked? {
        guard case .pending(let asked)? = streams[id]?.phase else { return nil }
        streams[id]?.phase = .open
        return asked
    }

    /// Notes that a request waits.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - id: Its stream.
    ///   - reply: Finds the reply once the wait is over.
    ///   - stop: Ends the wait before that.
    mutating func waits(
        _ asked: Asked,
        on id: HTTP2StreamID,
        reply: @escaping @Sendable () -> Reply,
        stop: @escaping () -> Void
    ) {
        streams[id]?.phase = .waiting(asked, reply: reply)
        streams[id]?.cancel = stop
    }

    /// Ends the wait of a request.
    ///
    /// - Returns: The request, and the function that makes its reply; nil if it does not wait.
    mutating func endsWait(_ id: HTTP2StreamID) -> (asked: Asked, reply: @Sendable () -> Reply, stop: (() -> Void)?)? {
        guard let stream = streams[id], case .waiting(let asked, let reply) = stream.phase else { return nil }
        streams[id] = Stream(isWhole: stream.isWhole)
        return (asked, reply, stream.cancel)
    }

    var waiting: [HTTP2StreamID] {
        streams.compactMap { if case .waiting = $1.phase { $0 } else { nil } }
    }

    /// The whole answer is written, and the client has its time to take it.
    ///
    /// - Returns: True if the client has not sent all of the request, which is to be waited for no longer than that.
    mutating func answered(_ id: HTTP2StreamID, at now: NIODeadline) -> Bool {
        let deadline = now + writeTime
        earliest = min(earliest, deadline)
        return streams[id]?.isAnswered(until: deadline) == false
    }

    /// Notes that the client has taken a part of a whole answer, and has its time for the next one.
    mutating func progresses(_ id: HTTP2StreamID, at now: NIODeadline) {
        if case .open? = streams[id]?.phase { setDeadline(now + writeTime, of: id) }
    }

    /// Notes that a task writes the body from now on.
    mutating func streamsBody(on id: HTTP2StreamID, cancel: @escaping () -> Void) {
        streams[id]?.phase = .streamed
        streams[id]?.cancel = cancel
    }

    /// A part of a streamed body is written.
    mutating func offers(_ id: HTTP2StreamID, at now: NIODeadline) { setDeadline(now + writeTime, of: id) }

    /// Notes that the client has taken the written part of a streamed body.
    mutating func takes(_ id: HTTP2StreamID) {
        if isStreamed(id) { streams[id]?.deadline = .distantFuture }
    }

    mutating func setDeadline(_ deadline: NIODeadline, of id: HTTP2StreamID) {
        streams[id]?.deadline = deadline
        earliest = min(earliest, deadline)
    }
}

// MARK: - Ends

extension StreamTable {
    /// Ends a stream that both sides have closed, or one has reset.
    ///
    /// - Returns: A closure that cancels its answer, and the stream whose turn it is to have its answer read.
    mutating func closed(
        _ id: HTTP2StreamID,
        at now: NIODeadline
    ) -> (cancel: (() -> Void)?, turn: (id: HTTP2StreamID, reading: Reading)?) {
        guard let stream = streams.removeValue(forKey: id) else { return (nil, nil) }
        if stream.isWhole { requests -= 1 }
        if streams.isEmpty { becomeIdle(at: now) }
        guard let next = turns.release(id), case .queued(let asked, let reading)? = streams[next]?.phase else {
            return (stream.cancel, nil)
        }
        streams[next]?.phase = .pending(asked)
        return (stream.cancel, (next, reading))
    }

    /// Ends all streams, because the connection is closed.
    ///
    /// - Returns: Closures that cancel the answers that are being made.
    mutating func closedAll() -> [() -> Void] {
        defer { (streams, turns, requests) = ([:], StreamTurns(count: MultiplexLimits.turns), 0) }
        return streams.values.compactMap(\.cancel)
    }

    /// Returns the overdue streams, each once.
    mutating func overdue(at now: NIODeadline) -> [(id: HTTP2StreamID, cause: Overdue)] {
        earliest = streams.isEmpty ? idleEnd : .distantFuture
        var overdue: [(id: HTTP2StreamID, cause: Overdue)] = []
        for (id, stream) in streams {
            if stream.deadline > now {
                earliest = min(earliest, stream.deadline)
                continue
            }
            switch stream.phase {
            case .posted(let posted): overdue.append((id, .body(posted.asked)))
            default: overdue.append((id, .taking))
            }
        }
        for (id, _) in overdue { streams[id]?.deadline = .distantFuture }
        return overdue
    }

    /// Returns true once if the client has been idle for too long.
    mutating func isIdle(at now: NIODeadline) -> Bool {
        guard streams.isEmpty, idleEnd <= now else { return false }
        idleEnd = .distantFuture
        return true
    }

    /// Begins the end of the connection, after the present answers (RFC 9113 § 6.8).
    ///
    /// - Returns: True if the client has to be told.
    mutating func quiesces(at now: NIODeadline) -> Bool {
        guard ending == .none else { return false }
        ending = .announced
        if streams.isEmpty { becomeIdle(at: now) }
        return true
    }

    /// Gives a client without requests its time: one that was told of the end need only confirm it.
    private mutating func becomeIdle(at now: NIODeadline) {
        idleEnd = now + (isEnding ? Self.confirmation : idleTime)
        earliest = min(earliest, idleEnd)
    }

    /// The time in which a client confirms that it knows of the end; others have gone.
    private static let confirmation = TimeAmount.seconds(10)

    /// Notes that the client knows of the end.
    ///
    /// - Returns: The last answered stream, for the client; nil if it was sent already.
    mutating func knowsOfEnd() -> HTTP2StreamID? {
        guard ending == .announced else { return nil }
        ending = .closing
        return lastStream
    }

    /// Notes that the client sends no more, not even for flow control.
    mutating func inputClosed() { if ending != .over { ending = .closing } }

    /// True once if the connection has served its purpose.
    mutating func ends() -> Bool {
        guard ending == .closing, streams.isEmpty else { return false }
        ending = .over
        return true
    }
}
