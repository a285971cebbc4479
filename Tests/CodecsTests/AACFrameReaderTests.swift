import MediaCore
import NIOCore
import Testing

@testable import Codecs

struct AACFrameReaderTests {
    /// An ADTS frame of LC around `body`.
    private func adts(_ body: [UInt8], rateIndex: Int = 3, channels: Int = 2, hasChecksum: Bool = false) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0xFFF, bits: 12)
        bits.write(0, bits: 3)
        bits.write(!hasChecksum)
        bits.write(1, bits: 2)
        bits.write(rateIndex, bits: 4)
        bits.write(0, bits: 1)
        bits.write(channels, bits: 3)
        bits.write(0, bits: 4)
        bits.write(body.count + (hasChecksum ? 9 : 7), bits: 13)
        bits.write(0x7FF, bits: 11)
        bits.write(0, bits: 2)
        if hasChecksum { bits.write(0xABCD, bits: 16) }
        return bits.bytes + body
    }

    private func frames(_ bytes: [UInt8], with reader: inout AACFrameReader) throws -> [String] {
        try reader.read(bytes).frames.map { $0.payload.readableBytesView.hex }
    }

    @Test func aRawPacketIsOneFrame() throws {
        var reader = try AACFrameReader(header: [0x11, 0x90])
        let packet: [UInt8] = [0x21, 0x22]
        let first = try reader.read(packet)
        #expect(first.frames == [AudioFrame(payload: ByteBuffer(bytes: packet), samples: 1024)])
        #expect(first.configurationChanged)
        #expect(try !reader.read(packet).configurationChanged)
    }

    @Test(arguments: [false, true])
    func anADTSPacketIsItsFramesWithoutHeaders(hasChecksum: Bool) throws {
        var reader = try AACFrameReader(header: [])
        let packet = adts([0x21, 0x22], hasChecksum: hasChecksum) + adts([0x23], hasChecksum: hasChecksum)
        #expect(try frames(packet, with: &reader) == ["2122", "23"])
        #expect(reader.configuration?.audioSpecificConfig == [0x11, 0x90])
        #expect(reader.configuration?.objectType == 2)
        #expect(reader.configuration?.channels == 2)
    }

    @Test(arguments: 0..<8) func anADTSHeaderHasItsFieldsAndAllOfItsBytes(channels: Int) throws {
        for (rateIndex, rate) in AudioSpecificConfig.sampleRates.enumerated() {
            let body = [UInt8](repeating: 0x21, count: 1 + 600 * rateIndex)
            let frame = adts(body, rateIndex: rateIndex, channels: channels, hasChecksum: rateIndex % 2 == 0)
            let header = try ADTSHeader(frame.span.bytes)
            #expect(header.stream.objectType == 2)
            #expect(header.stream.sampleRate == rate)
            #expect(header.stream.channelConfiguration == UInt8(channels))
            #expect(header.frameLength == frame.count)
            #expect(header.headerLength == frame.count - body.count)
            #expect(header.rawDataBlocks == 1)
            for length in 0..<7 {
                let head = Array(frame.prefix(length))
                #expect(throws: CodecError.truncated) { _ = try ADTSHeader(head.span.bytes) }
            }
        }
    }

    @Test func behindAHoleReadingGoesOnWithTheNextFrame() throws {
        var reader = try AACFrameReader(header: [])
        let frames = (1...5 as ClosedRange<UInt8>).map { adts([UInt8](repeating: $0, count: 20)) }
        // The second frame takes three bytes of the third for its own.
        let result = try reader.read(frames[0] + frames[1].dropLast(3) + frames[2] + frames[3] + frames[4])
        #expect(result.frames.count == 4)
        #expect(result.frames.suffix(2).map(\.payload) == [4, 5].map { ByteBuffer(repeating: $0, count: 20) })
        #expect(result.unreadableBytes == frames[2].count - 3)
    }

    @Test func whatFollowsTheLastWholeFrameIsCounted() throws {
        var reader = try AACFrameReader(header: [])
        let packet = adts([0x21, 0x22]) + adts([0x23, 0x24]).dropLast()
        let result = try reader.read(packet)
        #expect(result.frames.count == 1)
        #expect(result.unreadableBytes == 8)
    }

    @Test func aChangeOfConfigurationIsReportedOnce() throws {
        var reader = try AACFrameReader(header: [])
        let (stereo, surround) = (adts([0x21]), adts([0x21], channels: 6))
        #expect(try reader.read(stereo).configurationChanged)
        #expect(try !reader.read(stereo).configurationChanged)
        #expect(try reader.read(surround).configurationChanged)
        #expect(reader.configuration?.channels == 6)
        #expect(try !reader.read(surround).configurationChanged)
    }

    @Test func framesOfAnotherConfigurationAreReadNext() throws {
        var reader = try AACFrameReader(header: [])
        let (stereo, surround) = (adts([0x21]), adts([0x22], channels: 6))
        let result = try reader.read((stereo + surround))
        #expect(result.frames.map(\.payload) == [ByteBuffer(bytes: [0x21])])
        #expect(result.unreadBytes == surround.count)
        #expect(reader.configuration?.channels == 2)
        let rest = try reader.read(surround)
        #expect(rest.frames.map(\.payload) == [ByteBuffer(bytes: [0x22])])
        #expect(reader.configuration?.channels == 6)
    }

    @Test func aDamagedHeaderIsNoConfiguration() throws {
        var reader = try AACFrameReader(header: [])
        let stereo = adts([0x21])
        let result = try reader.read(stereo + adts([0x22], channels: 6) + stereo)
        #expect(result.frames.count == 2)
        #expect(result.unreadBytes == 0)
        #expect(result.unreadableBytes == stereo.count)
    }

    @Test func aHintSignalsSpectralBandReplication() throws {
        var reader = try AACFrameReader(header: [], objectTypeHint: 5)
        let packet = adts([0x21], rateIndex: 6)
        _ = try reader.read(packet)
        #expect(reader.configuration?.audioSpecificConfig.hex == "2b118800")
        #expect(reader.configuration?.outputSampleRate == 48_000)
        let raw = try AACFrameReader(header: [0x13, 0x08], objectTypeHint: 29)
        #expect(raw.configuration?.audioSpecificConfig.hex == "eb098800")
    }

    /// The start of a frame as FFmpeg writes it for 6.1: its channels come in an element of its own.
    @Test func channelsMayBeDescribedInTheFrame() throws {
        var bits = BitWriter()
        bits.write(5, bits: 3)
        for (value, count) in [(0, 4), (1, 2), (3, 4), (2, 4), (1, 4), (2, 4), (0, 2), (0, 3), (0, 4), (0, 3)] {
            bits.write(value, bits: count)
        }
        for (isPair, tag) in [(true, 0), (false, 0), (false, 1), (true, 1), (false, 2)] {
            bits.write(isPair)
            bits.write(tag, bits: 4)
        }
        bits.alignToByte()
        bits.write(0x0241_42, bits: 24)
        let packet = adts(bits.bytes + [0xE0], channels: 0)
        var reader = try AACFrameReader(header: [])
        _ = try reader.read(packet)
        #expect(reader.configuration?.channels == 7)
        #expect(reader.configuration?.audioSpecificConfig.hex == "118004c848002000c44000")
    }

    @Test func aNewHeaderIsAChangeOnlyIfItDiffers() throws {
        var reader = try AACFrameReader(header: [0x11, 0x90])
        let packet: [UInt8] = [0x21]
        _ = try reader.read(packet)
        try reader.replaceHeader([0x11, 0x90])
        #expect(try !reader.read(packet).configurationChanged)
        try reader.replaceHeader([0x11, 0xB0])
        #expect(try reader.read(packet).configurationChanged)
        #expect(throws: CodecError.truncated) { try reader.replaceHeader([0x11]) }
        #expect(reader.configuration?.channels == 6)
    }

    @Test(arguments: [
        ("", CodecError.truncated), ("fff1", .truncated), ("2122232425262728", .invalid("ADTS syncword")),
        ("fff14c80013ffc21", .truncated), ("fff14c8000fffc", .invalid("aac_frame_length")),
        ("fff14c80011ffd21", .unsupported("several raw data blocks in an ADTS frame")),
        ("fff17480011ffc21", .invalid("samplingFrequencyIndex")), ("fff34c80011ffc21", .invalid("ADTS layer")),
        ("fff14c00011ffc21", .unsupported("AAC without channel configuration")),
    ])
    func aPacketWithoutAFrameIsAnError(hex: String, error: CodecError) throws {
        var reader = try AACFrameReader(header: [])
        let packet = [UInt8](hex: hex)
        #expect(throws: error) { try reader.read(packet) }
        #expect(reader.configuration == nil)
    }
}
