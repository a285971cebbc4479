import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct FrameAssemblerTests {
    /// AAC-LC, 48 kHz, stereo: a frame of so many bytes, among which a syncword.
    private static func frame(_ count: Int, fill: UInt8) -> [UInt8] {
        let length = [0x80 | UInt8(count >> 11), UInt8(count >> 3 & 0xFF), UInt8(count & 7) << 5 | 0x1F, 0xFC]
        return [0xFF, 0xF1, 0x4C] + length + [0xFF, 0xF1, 0x4C] + [UInt8](repeating: fill, count: count - 10)
    }

    private static let frames = (0..<60).map { frame(10 + $0 * 7 % 90, fill: UInt8($0)) }

    /// Delivers the stream, cut into packets, each stamped with the time of the first frame that begins in it.
    private func delivered(_ packets: [[UInt8]]) -> [(timestamp: Int64?, bytes: [UInt8])] {
        var starts: [Int: Int64] = [:]
        var offset = 0
        for (index, frame) in Self.frames.enumerated() {
            starts[offset] = Int64(index) * 1920
            offset += frame.count
        }
        offset = 0
        var assembler = FrameAssembler()
        var clock = FrameClock()
        var result: [(timestamp: Int64?, bytes: [UInt8])] = []
        func deliver(_ info: PacketInfo, _ bytes: [UInt8]) {
            var info = info
            clock.packetRead(&info, payload: bytes.span.bytes, modulus: nil)
            result.append((info.presentationTimestamp, bytes))
        }
        for packet in packets {
            let timestamp = (offset..<offset + packet.count).lazy.compactMap { starts[$0] }.first
            offset += packet.count
            let info = PacketInfo(trackIndex: 1, presentationTimestamp: timestamp, decodeTimestamp: timestamp)
            let assembled = assembler.packetRead(info, payload: packet.span.bytes)
            if let joined = assembled.joined { deliver(joined.info, joined.bytes) }
            if !assembled.whole.isEmpty { deliver(info, Array(packet[assembled.whole])) }
        }
        return result
    }

    @Test func alignedPacketsArePassedOnAsTheyAre() {
        let packets = stride(from: 0, to: 60, by: 4).map { Array(Self.frames[$0..<$0 + 4].joined()) }
        let delivered = delivered(packets)
        #expect(delivered.map(\.bytes) == packets)
        #expect(delivered.map(\.timestamp) == (0..<15).map { $0 * 4 * 1920 })
    }

    @Test(arguments: 1...200)
    func framesAreWholeHoweverPacketsCutThem(size: Int) {
        let stream = Array(Self.frames.joined())
        let packets = stride(from: 0, to: stream.count, by: size).map {
            Array(stream[$0..<min($0 + size, stream.count)])
        }
        let delivered = delivered(packets)
        #expect(delivered.flatMap(\.bytes) == stream)
        var frames = Self.frames.enumerated().makeIterator()
        for (timestamp, bytes) in delivered {
            // Whole frames, the first of them at its own time.
            var rest = bytes[...]
            var isFirst = true
            while !rest.isEmpty, let (index, frame) = frames.next() {
                #expect(rest.starts(with: frame))
                if isFirst { #expect(timestamp == Int64(index) * 1920) }
                isFirst = false
                rest = rest.dropFirst(frame.count)
            }
        }
    }

    @Test func withoutItsBeginningTheRestOfAFrameIsLeftOut() {
        let frames = Self.frames
        let delivered = delivered([Array(frames[20].dropFirst(9) + frames[21] + frames[22])])
        #expect(delivered.map(\.bytes) == [frames[21] + frames[22]])
    }

    @Test func aFrameWhoseRestIsLostIsLeftOut() {
        let frames = Self.frames
        let delivered = delivered([frames[20] + frames[21].prefix(30), frames[22] + frames[23]])
        #expect(delivered.map(\.bytes) == [frames[20], frames[22] + frames[23]])
    }

    @Test(arguments: 0..<3)
    func damageToAPartIsDamageToTheFrame(damaged: Int) {
        let frame = Self.frame(90, fill: 1)
        var assembler = FrameAssembler()
        var joined: (info: PacketInfo, bytes: [UInt8])?
        for (index, part) in [frame[..<30], frame[30..<60], frame[60...]].enumerated() {
            let info = PacketInfo(
                trackIndex: 1,
                presentationTimestamp: nil,
                decodeTimestamp: nil,
                isCorrupt: index == damaged
            )
            joined = assembler.packetRead(info, payload: Array(part).span.bytes).joined
        }
        #expect(joined?.bytes == frame)
        #expect(joined?.info.isCorrupt == true)
    }

    @Test func noiseNeverTraps() {
        var generator = SeededGenerator(seed: 3)
        var assembler = FrameAssembler()
        let stream = Array(Self.frames.joined())
        for _ in 0..<3000 {
            let start = Int.random(in: 0..<stream.count, using: &generator)
            var packet = Array(stream[start..<Int.random(in: start...stream.count, using: &generator)].prefix(500))
            for _ in 0..<3 where !packet.isEmpty {
                packet[.random(in: packet.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let info = PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: nil)
            let assembled = assembler.packetRead(info, payload: packet.span.bytes)
            #expect(assembled.whole.upperBound <= packet.count)
        }
    }
}
