package import MediaCore
package import NIOCore

/// Decides which datagrams reach a listener of SRT that takes one caller: it looks at handshakes, and changes nothing.
package struct SRTGate: Sendable {
    /// Where a datagram comes from.
    package struct Caller: Hashable, Sendable {
        package var address: String
        package var port: Int

        package init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    package enum Verdict: Hashable, Sendable {
        case pass
        case drop
        case answer(ByteBuffer)
    }

    /// Whether a caller is let through, and why not, where somebody should know.
    package struct Decision: Hashable, Sendable {
        package var verdict: Verdict
        package var refusal: String?
    }

    private let streamIDs: Set<String>
    private let allowed: [AddressRange]
    /// Callers that have begun, with when they were last heard; true once their stream was accepted.
    private var callers: [Caller: (isAccepted: Bool, heard: MediaTime)] = [:]
    private var publisher: Caller?

    /// Of those that do not publish.
    private static let mostCallers = 32
    private static let patience = MediaTime(seconds: 10)
    /// What an application says in words of HTTP (libsrt's access control guidelines): 1000 and 1000 more than its status.
    private static let (unauthorized, conflict): (UInt32, UInt32) = (2401, 2409)

    /// - Parameters:
    ///   - streamIDs: What callers have to ask for, any of these; empty for anything.
    ///   - allowed: Where they may come from; empty for anywhere.
    package init(streamIDs: Set<String>, allowed: [AddressRange]) {
        self.streamIDs = streamIDs
        self.allowed = allowed
    }

    /// Callers that are known.
    package var known: Set<Caller> { Set(callers.keys) }

    /// A datagram came from outside.
    ///
    /// - Parameters:
    ///   - datagram: All of it.
    ///   - caller: Who sent it.
    ///   - now: By a clock that only goes on.
    /// - Returns: What becomes of it.
    package mutating func received(_ datagram: ByteBuffer, from caller: Caller, at now: MediaTime) -> Decision {
        guard allowed.isEmpty || allowed.contains(where: { $0.contains(caller.address) }) else {
            return Decision(verdict: .drop, refusal: "its address is not among those that may publish")
        }
        // Nearly all datagrams are of the one that publishes.
        if caller == publisher {
            if case .shutdown? = SRTPacket(datagram) { publisher = nil }
            return Decision(verdict: .pass)
        }
        switch SRTPacket(datagram) {
        case .handshake(let handshake): return shaken(handshake, by: caller, at: now)
        case .other, .shutdown:
            guard callers[caller]?.isAccepted == true else { return Decision(verdict: .drop) }
            callers[caller]?.heard = now
            return Decision(verdict: .pass)
        case nil: return Decision(verdict: .drop)
        }
    }

    private mutating func shaken(_ handshake: SRTHandshake, by caller: Caller, at now: MediaTime) -> Decision {
        guard publisher == nil else {
            return Decision(
                verdict: .answer(handshake.rejection(Self.conflict)),
                refusal: "somebody else is publishing"
            )
        }
        switch handshake.kind {
        case .induction:
            callers = callers.filter { now - $0.value.heard < Self.patience }
            guard callers[caller] != nil || callers.count < Self.mostCallers else { return Decision(verdict: .drop) }
            callers[caller] = (false, now)
            return Decision(verdict: .pass)
        case .conclusion:
            guard callers[caller] != nil else { return Decision(verdict: .drop) }
            if !streamIDs.isEmpty, !streamIDs.contains(where: { $0.isSame(as: handshake.streamID ?? "") }) {
                callers[caller] = nil
                return Decision(
                    verdict: .answer(handshake.rejection(Self.unauthorized)),
                    refusal: "its stream identifier is another"
                )
            }
            callers[caller] = (true, now)
            return Decision(verdict: .pass)
        case .rejection, .other:
            return Decision(verdict: .drop)
        }
    }

    /// The listener has answered.
    ///
    /// - Parameters:
    ///   - datagram: All of it; it is passed on.
    ///   - caller: To whom.
    /// - Returns: Why the caller is refused, where that is what it says.
    package mutating func answered(_ datagram: ByteBuffer, to caller: Caller) -> String? {
        switch SRTPacket(datagram) {
        case .handshake(let handshake):
            switch handshake.kind {
            case .conclusion: if callers[caller]?.isAccepted == true { publisher = caller }
            case .rejection(let code):
                callers[caller] = nil
                return Self.reason(code)
            case .induction, .other: break
            }
        case .shutdown: if publisher == caller { publisher = nil }
        case .other, nil: break
        }
        return nil
    }

    /// The listener is another one from now on: nobody has been let in.
    package mutating func reopened() {
        (callers, publisher) = ([:], nil)
    }

    /// draft-sharabayko-srt-01, table 7.
    private static func reason(_ code: UInt32) -> String {
        switch code {
        case 1010: "its passphrase is another"
        case 1011: "it has no passphrase"
        default: "SRT refuses it with code \(code)"
        }
    }
}
