import MediaCore
import NIOCore
import Testing

@testable import Publishing

@Suite struct SRTGateTests {
    private static let one = SRTGate.Caller(address: "192.0.2.1", port: 5000)
    private static let other = SRTGate.Caller(address: "192.0.2.2", port: 5000)

    /// A handshake packet as libsrt sends it.
    private static func handshake(_ type: UInt32, streamID: String? = nil, cookie: UInt32 = 0) -> ByteBuffer {
        var bytes = ByteBuffer(integer: 0x8000 as UInt16)
        bytes.writeRepeatingByte(0, count: 14)
        bytes.writeInteger(5 as UInt32)
        bytes.writeRepeatingByte(0, count: 16)
        bytes.writeInteger(type)
        bytes.writeInteger(0xABCD as UInt32)
        bytes.writeInteger(cookie)
        bytes.writeRepeatingByte(0, count: 16)
        guard let streamID else { return bytes }
        // HSREQ before it, as it usually is.
        bytes.writeBytes([0, 1, 0, 3] + Array(repeating: 0, count: 12))
        var text = Array(streamID.utf8)
        while !text.count.isMultiple(of: 4) { text.append(0) }
        bytes.writeInteger(5 as UInt16)
        bytes.writeInteger(UInt16(text.count / 4))
        for place in stride(from: 0, to: text.count, by: 4) { bytes.writeBytes(text[place..<place + 4].reversed()) }
        return bytes
    }

    private static let (induction, conclusion): (UInt32, UInt32) = (1, 0xFFFF_FFFF)
    private static let media = ByteBuffer(repeating: 1, count: 1_332)

    /// The end of a connection, as its sender tells it to a socket of the other side.
    private static func shutdown(of socket: UInt32) -> ByteBuffer {
        var bytes = ByteBuffer(bytes: [0x80, 5] + Array(repeating: 0, count: 10))
        bytes.writeInteger(socket)
        bytes.writeInteger(0 as UInt32)
        return bytes
    }

    /// The bytes that a decision has for a caller.
    private static func answer(_ decision: SRTGate.Decision) -> ByteBuffer? {
        if case .answer(let bytes) = decision.verdict { bytes } else { nil }
    }

    /// The bytes that a decision has for the listener.
    private static func forwarded(_ decision: SRTGate.Decision) -> ByteBuffer? {
        if case .forward(let bytes) = decision.verdict { bytes } else { nil }
    }

    private static func field(_ place: Int, of packet: ByteBuffer?) -> UInt32? {
        packet?.getInteger(at: place, as: UInt32.self)
    }

    /// The cookie that a caller is answered.
    private static func cookie(
        _ gate: inout SRTGate,
        _ caller: SRTGate.Caller,
        at now: MediaTime = .zero
    ) throws -> UInt32 {
        let decision = gate.received(handshake(induction), from: caller, at: now)
        return try #require(field(44, of: answer(decision)))
    }

    /// Says what a caller says up to its conclusion.
    private static func call(
        _ gate: inout SRTGate,
        _ caller: SRTGate.Caller,
        streamID: String? = nil,
        at now: MediaTime = .zero
    ) throws -> SRTGate.Decision {
        let cookie = try cookie(&gate, caller, at: now)
        return gate.received(handshake(conclusion, streamID: streamID, cookie: cookie), from: caller, at: now)
    }

    /// Calls, and lets a caller in that is forwarded.
    private static func connect(
        _ gate: inout SRTGate,
        _ caller: SRTGate.Caller,
        streamID: String? = nil
    ) throws -> Bool {
        guard forwarded(try call(&gate, caller, streamID: streamID)) != nil else { return false }
        _ = gate.answered(handshake(induction, cookie: 0xBEEF), to: caller)
        _ = gate.answered(handshake(conclusion), to: caller)
        return forwarded(gate.received(media, from: caller, at: .zero)) == media
    }

    @Test(arguments: ["key", "#!::r=live,m=publish", "k", "four"])
    func whoAsksForTheStreamIsLetIn(streamID: String) throws {
        var gate = SRTGate(streamIDs: [streamID], allowed: [])
        #expect(try Self.connect(&gate, Self.one, streamID: streamID))
    }

    /// The caller's words are told to the listener in its own cookies, and again where they were lost.
    @Test func listenerIsCalledForACallerThatCameBack() throws {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let answer = Self.answer(gate.received(Self.handshake(Self.induction), from: Self.one, at: .zero))
        #expect(Self.field(12, of: answer) == 0xABCD)
        #expect(Self.field(16, of: answer) == 5)
        #expect(Self.field(20, of: answer) == 0x4A17)
        #expect(gate.known.isEmpty)

        let cookie = try #require(Self.field(44, of: answer))
        let conclusion = Self.handshake(Self.conclusion, streamID: "key", cookie: cookie)
        for second in [0, 1] {
            let now = MediaTime(seconds: Int64(second))
            let induction = Self.forwarded(gate.received(conclusion, from: Self.one, at: now))
            #expect(induction?.readableBytes == 64)
            #expect(Self.field(16, of: induction) == 4)
            #expect(Self.field(20, of: induction) == 2)
            #expect(Self.field(36, of: induction) == 1)
        }
        let told = Self.handshake(Self.conclusion, streamID: "key", cookie: 0xBEEF)
        #expect(Self.forwarded(gate.answered(Self.handshake(1, cookie: 0xBEEF), to: Self.one)) == told)
        #expect(gate.received(conclusion, from: Self.one, at: MediaTime(seconds: 1)).verdict == .drop)
        #expect(Self.forwarded(gate.received(conclusion, from: Self.one, at: MediaTime(seconds: 2))) == told)
        let agreed = Self.handshake(Self.conclusion)
        #expect(Self.answer(gate.answered(agreed, to: Self.one)) == agreed)
        // The answer was lost on its way to the caller.
        #expect(Self.forwarded(gate.received(conclusion, from: Self.one, at: .zero)) == told)
    }

    /// A caller that sends from an address that is not its own, or from a minute long ago, holds nothing.
    @Test func conclusionWithoutItsCookieIsDropped() throws {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let cookie = try Self.cookie(&gate, Self.one)
        let conclusion = Self.handshake(Self.conclusion, streamID: "key", cookie: cookie)
        let guess = Self.handshake(Self.conclusion, streamID: "key", cookie: cookie &+ 1)
        #expect(gate.received(guess, from: Self.one, at: .zero).verdict == .drop)
        #expect(gate.received(conclusion, from: Self.other, at: .zero).verdict == .drop)
        #expect(gate.received(conclusion, from: Self.one, at: MediaTime(seconds: 121)).verdict == .drop)
        #expect(gate.known.isEmpty)
        #expect(Self.forwarded(gate.received(conclusion, from: Self.one, at: MediaTime(seconds: 59))) != nil)
    }

    @Test(arguments: [nil, "", "other", "keys"])
    func whoAsksForAnotherIsRefused(streamID: String?) throws {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let decision = try Self.call(&gate, Self.one, streamID: streamID)
        #expect(decision.refusal == "its stream identifier is wrong")
        guard case .answer(let answer) = decision.verdict else { Issue.record("it is not answered"); return }
        // To the caller's own socket, and without extensions.
        #expect(answer.readableBytes == 64)
        #expect(answer.getInteger(at: 12, as: UInt32.self) == 0xABCD)
        #expect(answer.getInteger(at: 36, as: UInt32.self) == 2401)
        let after = gate.received(Self.media, from: Self.one, at: .zero)
        #expect(after.verdict == .drop)
    }

    @Test func aSecondCallerIsRefusedUntilTheFirstHasLeft() throws {
        var gate = SRTGate(streamIDs: [], allowed: [])
        #expect(try Self.connect(&gate, Self.one))
        #expect(try Self.call(&gate, Self.other).refusal == "another encoder is publishing")
        #expect(gate.received(Self.media, from: Self.other, at: .zero).verdict == .drop)
        _ = gate.received(Self.shutdown(of: 0xABCD), from: Self.one, at: .zero)
        #expect(try Self.connect(&gate, Self.other))
        gate.reopened()
        #expect(try Self.connect(&gate, Self.one))
    }

    /// Datagrams do not show who sends them: an address is soon written upon one, but the socket has to be known.
    @Test(arguments: [0, 1, 0xABCC, 0xABCE])
    func aForgedEndDoesNotKeepThePublisherOut(socket: UInt32) throws {
        var gate = SRTGate(streamIDs: [], allowed: [])
        #expect(try Self.connect(&gate, Self.one))
        let forged = Self.shutdown(of: socket)
        #expect(Self.forwarded(gate.received(forged, from: Self.one, at: .zero)) == forged)
        #expect(Self.forwarded(gate.received(Self.media, from: Self.one, at: .zero)) == Self.media)
        #expect(try Self.call(&gate, Self.other).refusal == "another encoder is publishing")
    }

    @Test func anotherAddressIsNotEvenAnswered() throws {
        var gate = SRTGate(streamIDs: [], allowed: ["192.0.2.1"].compactMap(AddressRange.init))
        #expect(gate.received(Self.handshake(Self.induction), from: Self.other, at: .zero).verdict == .drop)
        #expect(try Self.connect(&gate, Self.one))
    }

    @Test(arguments: [
        (1010, "its passphrase is wrong"), (1011, "it has no passphrase"), (1003, "SRT refuses it with code 1003"),
    ])
    func whatTheListenerRefusesIsTold(code: UInt32, reason: String) throws {
        var gate = SRTGate(streamIDs: [], allowed: [])
        _ = try Self.call(&gate, Self.one)
        let rejection = Self.handshake(code)
        #expect(gate.answered(rejection, to: Self.one) == .init(verdict: .answer(rejection), refusal: reason))
        #expect(gate.known.isEmpty)
    }

    /// Any number of them, for as long as they like.
    @Test func inductionsHoldNothing() throws {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        for port in 1...1_000 { _ = try Self.cookie(&gate, .init(address: "192.0.2.9", port: port)) }
        #expect(gate.known.isEmpty)
        #expect(try Self.connect(&gate, Self.one, streamID: "key"))
    }

    /// Those that the listener leaves without an answer.
    @Test func callersGiveWayAtTheAddressThatHasMost() throws {
        var gate = SRTGate(streamIDs: [], allowed: [])
        _ = try Self.call(&gate, Self.one)
        let displaced = try (1...36).compactMap { port in
            let now = MediaTime(seconds: Int64(port / SRTGate.mostCallsOfNetwork))
            return try Self.call(&gate, .init(address: "192.0.2.9", port: port), at: now).displacement
        }
        #expect(gate.known.count == SRTGate.mostCallers)
        #expect(gate.known.contains(Self.one))
        #expect(displaced.map(\.id.port) == Array(1...5))
        #expect(displaced.allSatisfy { $0.network == "192.0.2.9" && $0.held == 31 })
        _ = try Self.call(&gate, Self.other, at: MediaTime(seconds: 20))
        #expect(gate.known == [Self.other])
    }

    /// A caller that knows the stream, but not its passphrase, costs the listener a socket with each try.
    @Test func listenerIsNotCalledMoreOftenThanItCanBear() throws {
        var gate = SRTGate(streamIDs: [], allowed: [])
        func calls(_ address: (Int) -> String, at now: MediaTime) throws -> Int {
            try (0..<200).count { index in
                let caller = SRTGate.Caller(address: address(index), port: 1_000 + index)
                let isForwarded = Self.forwarded(try Self.call(&gate, caller, at: now)) != nil
                _ = gate.answered(Self.handshake(1010), to: caller)
                return isForwarded
            }
        }
        #expect(try calls({ _ in "192.0.2.9" }, at: .zero) == SRTGate.mostCallsOfNetwork)
        #expect(Self.forwarded(try Self.call(&gate, Self.one)) != nil)
        #expect(try calls({ "192.0.2.\($0)" }, at: MediaTime(seconds: 1)) == SRTGate.mostCalls)
        #expect(gate.known == [Self.one])
    }

    @Test(arguments: [0, 1, 15, 16, 63, 64, 67, 68])
    func whatIsCutOffIsDropped(count: Int) {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let whole = Self.handshake(Self.conclusion, streamID: "key")
        let decision = gate.received(whole.getSlice(at: 0, length: count) ?? ByteBuffer(), from: Self.one, at: .zero)
        #expect(decision.verdict == .drop)
    }
}
