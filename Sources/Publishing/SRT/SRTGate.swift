package import MediaCore
package import NIOCore

/// Decides which datagrams reach an SRT listener that takes one caller.
///
/// Inductions are answered without any state: the cookie proves the caller's address (draft-sharabayko-srt-01 §
/// 4.3.1.1). Only for a caller that returns it, and requests the right stream, the gate calls the listener behind it,
/// with an induction of its own.
package struct SRTGate: Sendable {
    /// The address that a datagram comes from.
    package struct Caller: Hashable, Sendable {
        package var address: String
        package var port: Int

        package init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    package enum Verdict: Hashable, Sendable {
        case drop
        /// The datagram is to be sent to the caller.
        case answer(ByteBuffer)
        /// The datagram is to be sent to the listener.
        case forward(ByteBuffer)
    }

    /// The decision on a datagram, with the news to report.
    package struct Decision: Hashable, Sendable {
        package var verdict: Verdict
        /// The reason why the caller is refused.
        package var refusal: String?
        /// A caller that gave way to this one.
        package var displacement: Newcomers<Caller>.Displacement?
    }

    /// A caller that has requested the right stream, and waits for the listener.
    private struct Calling {
        var conclusion: SRTHandshake
        /// The cookie of the listener; nil until it has answered the induction.
        var cookie: UInt32?
        var heard: MediaTime
    }

    private let streamIDs: Set<String>
    private let allowed: [AddressRange]
    private var callers: [Caller: Calling] = [:]
    private var newcomers = Newcomers<Caller>(most: mostCallers)
    /// The number of calls to the listener in a second, by network: each call costs it a socket and a key.
    private var calls: (second: Int64, counts: [String: Int]) = (0, [:])
    /// The caller that publishes, with the cookie of the listener and the socket that it has for the caller.
    private var publisher: (caller: Caller, cookie: UInt32, socket: UInt32)?
    /// A secret of this process, without which cookies cannot be forged.
    private let secret = UInt64.random(in: 0...UInt64.max)

    /// Callers that wait for the listener's answer.
    static let mostCallers = 32
    /// Calls of the listener in a second, for callers of one network and for all.
    package static let (mostCallsOfNetwork, mostCalls) = (4, 32)
    private static let patience = MediaTime(seconds: 10)
    /// The shortest time between two calls of a caller that are forwarded; callers repeat them every 250 ms.
    private static let repetition = MediaTime(ticks: MediaTime.timescale / 10)
    /// The time after which the cookie changes; a cookie is valid for one to two of these.
    private static let cookieLife = MediaTime(seconds: 60)
    /// The rejection codes of applications (libsrt's access control guidelines): 2000 more than an HTTP
    /// status.
    private static let (unauthorized, conflict): (UInt32, UInt32) = (2401, 2409)

    /// - Parameters:
    ///   - streamIDs: The allowed stream IDs; empty for any.
    ///   - allowed: The allowed addresses of callers; empty for any.
    package init(streamIDs: Set<String>, allowed: [AddressRange]) {
        self.streamIDs = streamIDs
        self.allowed = allowed
    }

    /// Callers that something is kept of.
    package var known: Set<Caller> { Set(callers.keys).union(publisher.map { [$0.caller] } ?? []) }

    /// Decides on a datagram from outside.
    ///
    /// - Parameters:
    ///   - datagram: The whole datagram.
    ///   - caller: The sender.
    ///   - now: The time of a clock that never goes back.
    /// - Returns: The decision on it.
    package mutating func received(_ datagram: ByteBuffer, from caller: Caller, at now: MediaTime) -> Decision {
        let packet = SRTPacket(datagram)
        // Nearly all datagrams come from the publisher, whose address was checked when it called.
        if let publisher, publisher.caller == caller {
            switch packet {
            case .handshake(let handshake): return Decision(verdict: .forward(handshake.with(cookie: publisher.cookie)))
            // A sender that forges the caller's address does not know the socket; the listener ignores it, too.
            case .shutdown(let socket) where socket == publisher.socket: self.publisher = nil
            case .shutdown, .other, nil: break
            }
            return Decision(verdict: .forward(datagram))
        }
        guard allowed.isEmpty || allowed.contains(where: { $0.contains(caller.address) }) else {
            return Decision(verdict: .drop, refusal: "its address is not in allowed-publishers")
        }
        guard case .handshake(let handshake) = packet else { return Decision(verdict: .drop) }
        switch handshake.kind {
        case .induction: return Decision(verdict: .answer(handshake.answer(cookie: cookie(for: caller, at: now))))
        case .conclusion: return concluded(handshake, by: caller, at: now)
        case .rejection, .other: return Decision(verdict: .drop)
        }
    }

    private mutating func concluded(_ handshake: SRTHandshake, by caller: Caller, at now: MediaTime) -> Decision {
        let cookies = [now, now - Self.cookieLife].map { cookie(for: caller, at: $0) }
        guard cookies.contains(handshake.cookie) else { return Decision(verdict: .drop) }
        guard publisher == nil else {
            return Decision(
                verdict: .answer(handshake.rejection(Self.conflict)),
                refusal: "another encoder is publishing"
            )
        }
        if !streamIDs.isEmpty, !streamIDs.contains(where: { $0.isSame(as: handshake.streamID ?? "") }) {
            return Decision(
                verdict: .answer(handshake.rejection(Self.unauthorized)),
                refusal: "its stream identifier is wrong"
            )
        }
        for (other, calling) in callers where now - calling.heard >= Self.patience { forget(other) }
        var decision = Decision(verdict: .forward(handshake.induction))
        if let calling = callers[caller] {
            guard now - calling.heard >= Self.repetition else { return Decision(verdict: .drop) }
            if let cookie = calling.cookie { decision.verdict = .forward(handshake.with(cookie: cookie)) }
        } else {
            let network = AddressRange.network(of: caller.address)
            guard mayCall(from: network, at: now) else { return Decision(verdict: .drop) }
            decision.displacement = newcomers.came(caller, from: network)
            if let displaced = decision.displacement { callers[displaced.id] = nil }
        }
        callers[caller] = Calling(conclusion: handshake, cookie: callers[caller]?.cookie, heard: now)
        return decision
    }

    /// Counts a call of the listener.
    ///
    /// - Returns: True if it may be called.
    private mutating func mayCall(from network: String, at now: MediaTime) -> Bool {
        let second = now.ticks / MediaTime.timescale
        if calls.second != second { calls = (second, [:]) }
        guard calls.counts[network, default: 0] < Self.mostCallsOfNetwork,
            calls.counts.values.reduce(0, +) < Self.mostCalls
        else { return false }
        calls.counts[network, default: 0] += 1
        return true
    }

    /// The cookie that a caller has to repeat, which only a receiver at its address knows.
    private func cookie(for caller: Caller, at now: MediaTime) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(secret)
        hasher.combine(caller)
        hasher.combine(now.ticks / Self.cookieLife.ticks)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    private mutating func forget(_ caller: Caller) {
        callers[caller] = nil
        newcomers.left(caller)
    }

    /// Takes an answer of the listener.
    ///
    /// - Parameters:
    ///   - datagram: The whole datagram.
    ///   - caller: The recipient.
    /// - Returns: The decision on it.
    package mutating func answered(_ datagram: ByteBuffer, to caller: Caller) -> Decision {
        var decision = Decision(verdict: .answer(datagram))
        switch SRTPacket(datagram) {
        case .handshake(let handshake):
            switch handshake.kind {
            case .induction:
                // The gate has already answered the induction of the caller.
                guard let calling = callers[caller] else { return Decision(verdict: .drop) }
                callers[caller]?.cookie = handshake.cookie
                newcomers.advanced(caller)
                decision.verdict = .forward(calling.conclusion.with(cookie: handshake.cookie))
            case .conclusion:
                guard let cookie = callers[caller]?.cookie else { break }
                publisher = (caller, cookie, handshake.socket)
                forget(caller)
            case .rejection(let code):
                forget(caller)
                decision.refusal = Self.reason(code)
            case .other: break
            }
        case .shutdown: if publisher?.caller == caller { publisher = nil }
        case .other, nil: break
        }
        return decision
    }

    /// Forgets all admitted callers, because the listener is another one from now on.
    package mutating func reopened() {
        for caller in callers.keys { newcomers.left(caller) }
        (callers, publisher) = ([:], nil)
    }

    /// draft-sharabayko-srt-01, table 7.
    private static func reason(_ code: UInt32) -> String {
        switch code {
        case 1010: "its passphrase is wrong"
        case 1011: "it has no passphrase"
        default: "SRT refuses it with code \(code)"
        }
    }
}
