import Testing

@testable import Channels

@Suite struct UnreadablePacketsTests {
    @Test func packetsBeforeTheFirstKeyFrameAreNoFault() {
        var packets = UnreadablePackets()
        for _ in 0..<UnreadablePackets.mostBeforeStart { #expect(packets.verdict() == .joining) }
        #expect(packets.verdict() == .lasting, "no key frame comes")
    }

    @Test func codecIsNotCarriedOnlyAfterSeveralPackets() {
        var packets = UnreadablePackets()
        packets.read()
        for _ in 1..<UnreadablePackets.leastForCodec { #expect(packets.verdict() == .fault) }
        #expect(packets.verdict() == .lasting)
        packets.read()
        #expect(packets.verdict() == .fault)
    }
}
