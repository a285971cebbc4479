import Codecs
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

    /// E-AC-3, 48 kHz, stereo: a syncframe of two blocks in 64 bytes.
    private static func syncframe(_ number: Int) -> [UInt8] {
        let convsync: UInt8 = number % 3 == 0 ? 0x04 : 0
        return [0x0B, 0x77, 0, 31, 0x14, 0x80, convsync] + [UInt8](repeating: UInt8(number), count: 57)
    }

    /// AC-3, 48 kHz, stereo, of 192 kbit/s.
    private static func ac3(_ number: Int) -> [UInt8] {
        [0x0B, 0x77, 0, 0, 0x14, 0x40, 0x50, 0x20] + [UInt8](repeating: UInt8(number), count: 760)
    }

    /// Delivers a stream, cut into packets, each stamped with the time of the first frame or syncframe that begins in it.
    private func delivered(
        _ packets: [[UInt8]],
        of frames: [[UInt8]] = Self.frames,
        lasting ticks: Int64 = 1920,
        syntax: AudioFrameSyntax = .adts
    ) -> [(timestamp: Int64?, bytes: [UInt8])] {
        var starts: [Int: Int64] = [:]
        var offset = 0
        for (index, frame) in frames.enumerated() {
            starts[offset] = Int64(index) * ticks
            offset += frame.count
        }
        offset = 0
        var assembler = FrameAssembler(syntax: syntax)
        var clock = FrameClock(syntax: syntax)
        var result: [(timestamp: Int64?, bytes: [UInt8])] = []
        func deliver(_ info: PacketInfo, _ bytes: [UInt8], _ delay: Int64) {
            var info = info
            clock.packetRead(&info, payload: bytes.span.bytes, delay: delay, modulus: nil)
            result.append((info.presentationTimestamp, bytes))
        }
        for packet in packets {
            let timestamp = (offset..<offset + packet.count).lazy.compactMap { starts[$0] }.first
            offset += packet.count
            let info = PacketInfo(trackIndex: 1, presentationTimestamp: timestamp, decodeTimestamp: timestamp)
            let assembled = assembler.packetRead(info, payload: packet.span.bytes)
            if let joined = assembled.joined { deliver(joined.info, joined.bytes, joined.delay) }
            if !assembled.whole.isEmpty { deliver(info, Array(packet[assembled.whole]), assembled.delay) }
        }
        return result
    }

    @Test(arguments: 1...300)
    func sixBlocksAreOneFrameHoweverPacketsCutThem(size: Int) {
        let syncframes = (0..<60).map(Self.syncframe)
        let stream = Array(syncframes.joined())
        let packets = stride(from: 0, to: stream.count, by: size).map {
            Array(stream[$0..<min($0 + size, stream.count)])
        }
        let delivered = delivered(packets, of: syncframes, lasting: 960, syntax: .dolby)
        #expect(delivered.flatMap(\.bytes) == stream)
        var offset = 0
        for (timestamp, bytes) in delivered {
            #expect(bytes.count % 192 == 0)
            #expect(timestamp == Int64(offset / 192) * 2880)
            offset += bytes.count
        }
    }

    @Test func blocksThatLostTheRestOfTheirSixAreLeftOut() {
        let syncframes = (0..<9).map(Self.syncframe)
        let packets = [Array(syncframes[0...3].joined()), Array(syncframes[6...8].joined())]
        let delivered = delivered(packets, of: syncframes, syntax: .dolby)
        #expect(delivered.map(\.bytes) == [Array(syncframes[0...2].joined()), Array(syncframes[6...8].joined())])
    }

    @Test func aWrongSizeCostsNoOtherFrame() {
        let frames = (0..<5).map(Self.ac3)
        var wrong = frames[1]
        // The size of 640 kbit/s: the frame reaches beyond the packet.
        wrong[4] = 36
        let packets = [frames[0] + wrong + frames[2], frames[3] + frames[4]]
        let delivered = delivered(packets, of: frames, lasting: 2880, syntax: .dolby)
        #expect(delivered.map(\.bytes) == [frames[0], frames[2], frames[3] + frames[4]])
        #expect(delivered.map(\.timestamp) == [0, 5760, 8640])
    }

    @Test func aFrameThatLostItsEndIsNotJoinedWithTheNextPacket() {
        let frames = (0..<4).map(Self.ac3)
        let delivered = delivered(
            [frames[0] + frames[1].dropLast(10), frames[2] + frames[3]],
            of: frames,
            lasting: 2880,
            syntax: .dolby
        )
        #expect(delivered.map(\.bytes) == [frames[0], frames[2] + frames[3]])
    }

    @Test func alignedPacketsArePassedOnAsTheyAre() {
        let packets = stride(from: 0, to: 60, by: 4).map { Array(Self.frames[$0..<$0 + 4].joined()) }
        let delivered = delivered(packets)
        #expect(delivered.map(\.bytes) == packets)
        let times: [Int64?] = (0..<15).map { Int64($0) * 4 * 1920 }
        #expect(delivered.map(\.timestamp) == times)
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
        var joined: AssembledPayload.Part?
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
