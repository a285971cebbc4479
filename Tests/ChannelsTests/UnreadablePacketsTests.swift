import Testing

@testable import Channels

@Suite struct UnreadablePacketsTests {
    @Test func packetsBeforeTheFirstKeyFrameAreNoFault() {
        var packets = UnreadablePackets(isVideo: true)
        for _ in 0..<UnreadablePackets.mostBeforeStart { #expect(packets.verdict() == .joining) }
        #expect(packets.verdict() == .lasting, "no key frame comes")
    }

    @Test func audioCanBeReadFromItsFirstPacketOn() {
        var packets = UnreadablePackets(isVideo: false)
        #expect(packets.verdict() == .lasting)
    }

    @Test func codecIsNotCarriedOnlyAfterSeveralPackets() {
        var packets = UnreadablePackets(isVideo: true)
        packets.read()
        for _ in 1..<UnreadablePackets.leastForCodec { #expect(packets.verdict() == .fault) }
        #expect(packets.verdict() == .lasting)
        packets.read()
        #expect(packets.verdict() == .fault)
    }
}
