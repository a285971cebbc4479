import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// No bytes of audio trap: whatever comes in is read or is a ``CodecError``.
struct MalformedAudioTests {
    private static let configurations: [CodecConfiguration] = [
        .ac3(
            AC3Configuration(
                sampleRateCode: 1,
                bitstreamIdentification: 8,
                bitstreamMode: 0,
                audioCodingMode: 7,
                hasLowFrequencyEffects: true,
                bitRateCode: 3
            )
        ),
        .eac3(
            EAC3Configuration(
                dataRate: 64,
                independentSubstreams: [.init(sampleRateCode: 0, audioCodingMode: 2, hasLowFrequencyEffects: false)]
            )
        ),
        .mpegAudio(MPEGAudioConfiguration(layer: 2, sampleRate: 48_000, channels: 2)),
        .mpegAudio(MPEGAudioConfiguration(layer: 3, sampleRate: 22_050, channels: 1)),
    ]

    @Test(arguments: configurations)
    func damagedFrames(configuration: CodecConfiguration) throws {
        var generator = SeededGenerator(seed: 9)
        let frame = [UInt8](try #require(AudioSilence.frame(for: configuration)).readableBytesView)
        let codec: InputTrack.Codec
        switch configuration {
        case .ac3: codec = .ac3
        case .eac3: codec = .eac3
        default: codec = .mp3
        }
        var reader = try #require(try InputTrack(index: 0, kind: .audio, codec: codec).audioFrameReader())
        for _ in 0..<1000 {
            var packet = (frame + frame + frame).mutated(using: &generator)
            // Headers are hit more often than the rest.
            packet[Int.random(in: 0..<min(12, packet.count), using: &generator)] ^= 1 << generator.bytes(1)[0] % 8
            let start = Int.random(in: 0..<min(20, packet.count), using: &generator)
            guard let result = try? reader.read(Array(packet[start...])) else { continue }
            #expect(result.unreadableBytes >= 0)
            #expect(result.frames.allSatisfy { $0.samples > 0 && $0.payload.readableBytes > 0 })
        }
    }

    @Test func noise() throws {
        var generator = SeededGenerator(seed: 10)
        let codecs: [InputTrack.Codec] = [.aac, .ac3, .eac3, .mp2, .mp3]
        for codec in codecs {
            var reader = try #require(try InputTrack(index: 0, kind: .audio, codec: codec).audioFrameReader())
            for _ in 0..<300 {
                var bytes = generator.bytes(Int.random(in: 0...300, using: &generator))
                if bytes.count > 2 { bytes.replaceSubrange(0..<2, with: codec == .mp3 ? [0xFF, 0xFB] : [0x0B, 0x77]) }
                _ = try? reader.read(bytes)
            }
        }
    }

    @Test(arguments: [
        (InputTrack.Codec.opus, "4f7075734865616401063801 80bb0000 0000 01 0402000401020305", "7ff6030010000300fc1234"),
        (.flac, "1000100000000e0017550bb802f000010000 00000000000000000000000000000000", "fff87090000fffb80000"),
        (.alac, "00000024616c6163000000000000100000 10280a0e02000000004004001770000000bb80", "20001000001000"),
    ])
    func damagedHeadersAndPackets(codec: InputTrack.Codec, header: String, packet: String) throws {
        var generator = SeededGenerator(seed: 11)
        let (header, packet) = ([UInt8](hex: header), [UInt8](hex: packet))
        for _ in 0..<2000 {
            let track = InputTrack(index: 0, kind: .audio, codec: codec, header: header.mutated(using: &generator))
            guard var reader = try? track.audioFrameReader(), let configuration = reader.codecConfiguration else {
                continue
            }
            let audio = try #require(configuration.audio)
            #expect(audio.sampleRate > 0 && audio.channels > 0 && audio.samplesPerFrame > 0)
            // Silence can be made of whatever is accepted, but for samples of 32 bits.
            #expect(AudioSilence.frame(for: configuration) != nil || codec == .alac)
            _ = try? reader.read(packet.mutated(using: &generator))
        }
    }
}
