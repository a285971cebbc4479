import MPEGTS
import MediaCore
import Testing

@testable import Drills

@Suite struct ReceivedPacketTests {
    @Test(arguments: [1, 2, 100, 181, 182, 183, 184])
    func payloadIsPaddedByStuffing(count: Int) throws {
        let payload = (0..<count).map { UInt8($0) }
        let bytes = TransportPacket.bytes(pid: 0x1ABC, isUnitStart: true, counter: 9, payload: payload[...])
        #expect(bytes.count == 188)
        let packet = try #require(ReceivedPacket(bytes[...]))
        #expect(packet.pid == 0x1ABC)
        #expect(packet.isUnitStart)
        #expect(!packet.isRandomAccess)
        #expect(packet.continuityCounter == 9)
        #expect(packet.payload.map(Array.init) == payload)
    }

    @Test func heads() {
        let payload = [UInt8](repeating: 1, count: 182)[...]
        let key = TransportPacket.bytes(pid: 256, isUnitStart: true, isRandomAccess: true, counter: 0, payload: payload)
        #expect(key.prefix(7).hex == "47410030014001")
        let full = TransportPacket.bytes(pid: 256, isUnitStart: false, counter: 15, payload: payload + [1, 1])
        #expect(full.prefix(5).hex == "4701001f01")
        let one = TransportPacket.bytes(pid: 256, isUnitStart: false, counter: 1, payload: payload + [1])
        #expect(one.prefix(6).hex == "470100310001")
    }

    @Test(arguments: [0, 1, 900_000, (1 << 33) - 1] as [Int64])
    func clockReferenceComesBack(clock: Int64) throws {
        let bytes = TransportPacket.clockReference(clock, pid: 256, counter: 3)
        #expect(bytes.count == 188)
        #expect(bytes.prefix(6).hex == "47010023b710")
        let packet = try #require(ReceivedPacket(bytes[...]))
        #expect(packet.clockReference == clock)
        #expect(packet.payload == nil)
    }
}
