import MediaCore
import NIOCore
import Testing

@testable import SRT

@Suite struct SRTGateTests {
    private static let one = SRTGate.Caller(address: "192.0.2.1", port: 5000)
    private static let other = SRTGate.Caller(address: "192.0.2.2", port: 5000)

    /// A handshake packet as libsrt sends it.
    private static func handshake(_ type: UInt32, streamID: String? = nil) -> ByteBuffer {
        var bytes = ByteBuffer(integer: 0x8000 as UInt16)
        bytes.writeRepeatingByte(0, count: 14)
        bytes.writeInteger(5 as UInt32)
        bytes.writeRepeatingByte(0, count: 16)
        bytes.writeInteger(type)
        bytes.writeInteger(0xABCD as UInt32)
        bytes.writeRepeatingByte(0, count: 20)
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
    private static let shutdown = ByteBuffer(bytes: [0x80, 5] + Array(repeating: 0, count: 18))

    /// Lets a caller in.
    private static func connect(
        _ gate: inout SRTGate,
        _ caller: SRTGate.Caller,
        streamID: String? = nil
    ) -> [SRTGate.Decision] {
        let decisions = [handshake(induction), handshake(conclusion, streamID: streamID)].map {
            gate.received($0, from: caller, at: .zero)
        }
        if decisions.last?.verdict == .pass { _ = gate.answered(handshake(conclusion), to: caller) }
        return decisions
    }

    @Test(arguments: ["key", "#!::r=live,m=publish", "k", "four"])
    func whoAsksForTheStreamIsLetIn(streamID: String) {
        var gate = SRTGate(streamIDs: [streamID], allowed: [])
        #expect(Self.connect(&gate, Self.one, streamID: streamID).map(\.verdict) == [.pass, .pass])
        let decision = gate.received(Self.media, from: Self.one, at: .zero)
        #expect(decision == SRTGate.Decision(verdict: .pass))
    }

    @Test(arguments: [nil, "", "other", "keys"])
    func whoAsksForAnotherIsRefused(streamID: String?) throws {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let decision = try #require(Self.connect(&gate, Self.one, streamID: streamID).last)
        #expect(decision.refusal == "its stream identifier is another")
        guard case .answer(let answer) = decision.verdict else { Issue.record("it is not answered"); return }
        // To the caller's own socket, and without extensions.
        #expect(answer.readableBytes == 64)
        #expect(answer.getInteger(at: 12, as: UInt32.self) == 0xABCD)
        #expect(answer.getInteger(at: 36, as: UInt32.self) == 2401)
        let after = gate.received(Self.media, from: Self.one, at: .zero)
        #expect(after.verdict == .drop)
    }

    @Test func aSecondCallerIsRefusedUntilTheFirstHasLeft() {
        var gate = SRTGate(streamIDs: [], allowed: [])
        _ = Self.connect(&gate, Self.one)
        let second = gate.received(Self.handshake(Self.induction), from: Self.other, at: .zero)
        #expect(second.refusal == "somebody else is publishing")
        let stranger = gate.received(Self.media, from: Self.other, at: .zero)
        #expect(stranger.verdict == .drop)
        _ = gate.received(Self.shutdown, from: Self.one, at: .zero)
        #expect(Self.connect(&gate, Self.other).map(\.verdict) == [.pass, .pass])
        gate.reopened()
        #expect(Self.connect(&gate, Self.one).map(\.verdict) == [.pass, .pass])
    }

    @Test func anotherAddressIsNotEvenAnswered() {
        var gate = SRTGate(streamIDs: [], allowed: ["192.0.2.1"].compactMap(AddressRange.init))
        #expect(Self.connect(&gate, Self.other).map(\.verdict) == [.drop, .drop])
        #expect(Self.connect(&gate, Self.one).map(\.verdict) == [.pass, .pass])
    }

    @Test(arguments: [
        (1010, "its passphrase is another"), (1011, "it has no passphrase"), (1003, "SRT refuses it with code 1003"),
    ])
    func whatTheListenerRefusesIsTold(code: UInt32, reason: String) {
        var gate = SRTGate(streamIDs: [], allowed: [])
        _ = gate.received(Self.handshake(Self.induction), from: Self.one, at: .zero)
        _ = gate.received(Self.handshake(Self.conclusion), from: Self.one, at: .zero)
        let told = gate.answered(Self.handshake(code), to: Self.one)
        #expect(told == reason)
    }

    @Test func strangersAreLimited() {
        var gate = SRTGate(streamIDs: [], allowed: [])
        let verdicts = (1...100).map { port in
            gate.received(Self.handshake(Self.induction), from: .init(address: "192.0.2.9", port: port), at: .zero)
                .verdict
        }
        #expect(verdicts.count { $0 == .pass } == 32)
        let later = gate.received(Self.handshake(Self.induction), from: Self.one, at: MediaTime(seconds: 11))
        #expect(later.verdict == .pass)
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
