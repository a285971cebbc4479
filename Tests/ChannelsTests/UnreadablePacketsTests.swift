import Testing

@testable import Channels

@Suite struct UnreadablePacketsTests {
    @Test func packetsBeforeTheFirstKeyFrameAreNoFault() {
        var packets = UnreadablePackets(mayJoin: true)
        for _ in 0..<UnreadablePackets.mostBeforeStart { #expect(packets.verdict() == .joining) }
        #expect(packets.verdict() == .lasting, "no key frame comes")
    }

    @Test func audioAndFilesCanBeReadFromTheirFirstPacketOn() {
        var packets = UnreadablePackets(mayJoin: false)
        #expect(packets.verdict() == .lasting)
    }

    @Test func codecIsNotCarriedOnlyAfterSeveralPackets() {
        var packets = UnreadablePackets(mayJoin: true)
        packets.read()
        for _ in 1..<UnreadablePackets.leastForCodec { #expect(packets.verdict() == .fault) }
        #expect(packets.verdict() == .lasting)
        packets.read()
        #expect(packets.verdict() == .fault)
    }
}
