import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Silence in the middle of real streams, decoded by FFmpeg without a complaint to nothing but zeros.
struct AudioSilenceTests {
    struct Stream: CustomTestStringConvertible, Sendable {
        var encoder: String
        var codec: InputTrack.Codec
        var rate = 48_000
        var channels: Int
        var options: [String] = []

        var testDescription: String { "\(encoder) \(rate) Hz, \(channels) channels \(options.joined(separator: " "))" }
        var isFramed: Bool { [.ac3, .eac3, .mp2, .mp3].contains(codec) }

        static let framed: [Stream] =
            [("ac3", InputTrack.Codec.ac3), ("eac3", .eac3)].flatMap { encoder, codec in
                [(1, 48_000), (2, 44_100), (6, 32_000), (6, 48_000)].map {
                    Stream(encoder: encoder, codec: codec, rate: $1, channels: $0)
                }
            }
            + [22_050, 44_100, 48_000].flatMap { rate in
                [1, 2].map { Stream(encoder: "mp2", codec: .mp2, rate: rate, channels: $0) }
            }
            // With a reservoir, what follows a hole needs what was in it.
            + [8_000, 22_050, 48_000].flatMap { rate in
                [1, 2].map {
                    let options = ["-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0"]
                    return Stream(encoder: "libmp3lame", codec: .mp3, rate: rate, channels: $0, options: options)
                }
            }
            + ["3.0", "quad", "5.0"].map {
                Stream(encoder: "ac3", codec: .ac3, channels: 2, options: ["-af", "aformat=cl=\($0)"])
            }
        static let packets: [Stream] =
            [1, 2, 6].flatMap { channels in
                [("libopus", InputTrack.Codec.opus), ("flac", .flac), ("alac", .alac)].map {
                    Stream(encoder: $0, codec: $1, channels: channels)
                }
            } + [
                Stream(encoder: "flac", codec: .flac, rate: 96_000, channels: 2, options: ["-sample_fmt", "s32"]),
                Stream(encoder: "alac", codec: .alac, channels: 2, options: ["-sample_fmt", "s32p"]),
            ]
        static let aac: [Stream] =
            [1, 2, 6].map { Stream(encoder: "aac", codec: .aac, channels: $0) }
            // Without a channelConfiguration, and of 7.1.
            + ["quad", "6.1", "7.1"].map {
                Stream(encoder: "aac", codec: .aac, channels: 6, options: ["-af", "aformat=cl=\($0)"])
            }
    }

    private static let silentFrames = 8

    @Test(arguments: (Stream.framed + Stream.packets + Stream.aac).oneIn(2))
    func silenceIsDecodedToZeros(stream: Stream) async throws {
        let probe = try await FFmpegAudio.withFile("x") { file in
            try await FFmpegAudio.encode(
                stream.encoder,
                rate: stream.rate,
                channels: stream.channels,
                options: stream.options,
                to: file,
                format: stream.isFramed ? (stream.codec == .mp3 ? "mp3" : stream.encoder) : "mp4"
            )
            return try await FFmpegAudio.probe(file)
        }
        let track = InputTrack(index: 0, kind: .audio, codec: stream.codec, header: probe.header)
        var reader = try #require(try track.audioFrameReader())
        var frames: [AudioFrame] = []
        for packet in probe.packets { frames += try reader.read(packet.bytes).frames }
        let configuration = try #require(reader.codecConfiguration)
        let audio = try #require(configuration.audio)
        let payload = try #require(AudioSilence.frame(for: configuration))
        let silence = AudioFrame(payload: payload, samples: audio.samplesPerFrame)

        // Silence is read as a frame of the same stream.
        let read = try reader.read([UInt8](payload.readableBytesView))
        #expect(read.frames == [silence])
        #expect(!read.configurationChanged && read.unreadableBytes == 0)

        let middle = frames.count / 2
        frames.insert(contentsOf: repeatElement(silence, count: Self.silentFrames), at: middle)
        let file = try file(of: frames, configuration, header: probe.header)
        let decoded = try await FFmpegAudio.withFile("bin") { output in
            try Data(file).write(to: output)
            return try await FFmpegAudio.decode(output, input(for: stream))
        }
        // What is decoded overlaps; Opus takes some frames to come to rest.
        let settling = stream.codec == .flac || stream.codec == .alac ? 0 : stream.codec == .opus ? 5 : 2
        let before = frames.prefix(middle).reduce(0) { $0 + $1.samples } - dropped(configuration)
        let start = before + settling * silence.samples
        let end = start + (Self.silentFrames - settling - (settling > 0 ? 1 : 0)) * silence.samples
        try #require(decoded.count >= end * audio.channels)
        #expect(decoded[start * audio.channels..<end * audio.channels].allSatisfy { $0 == 0 })
        // And what is around it is not.
        #expect(decoded[..<before].contains { $0 != 0 })
        #expect(decoded[(end * audio.channels)...].contains { $0 != 0 })
    }

    /// Samples that FFmpeg takes away at the start.
    private func dropped(_ configuration: CodecConfiguration) -> Int {
        guard case .opus(let opus) = configuration else { return 0 }
        return Int(opus.preSkip)
    }

    private func input(for stream: Stream) -> [String] {
        if stream.codec == .aac { return ["-f", "aac"] }
        guard stream.isFramed else { return [] }
        return ["-f", stream.codec == .mp2 || stream.codec == .mp3 ? "mp3" : stream.encoder]
    }

    private func file(
        of frames: [AudioFrame],
        _ configuration: CodecConfiguration,
        header: [UInt8]
    ) throws -> [UInt8] {
        switch configuration {
        case .opus: return OggFile.bytes(identificationHeader: header, frames: frames)
        case .flac(let flac): return CoreAudioFile.bytes(flac, frames: frames)
        case .alac(let alac): return CoreAudioFile.bytes(alac, frames: frames)
        case .aac(let aac):
            let framing = try ADTSFraming(aac)
            return try frames.flatMap { try framing.header(for: $0.payload) + $0.payload.readableBytesView }
        default: return frames.flatMap { [UInt8]($0.payload.readableBytesView) }
        }
    }

    @Test(arguments: 0...7 as ClosedRange<UInt8>, [false, true])
    func everyModeOfDolbyAudioHasSilence(mode: UInt8, isEnhanced: Bool) async throws {
        let substream = EAC3Configuration.Substream(
            sampleRateCode: 0,
            bitstreamMode: 2,
            audioCodingMode: mode,
            hasLowFrequencyEffects: mode % 2 == 0
        )
        let ac3 = AC3Configuration(
            sampleRateCode: 0,
            bitstreamIdentification: 8,
            bitstreamMode: 2,
            audioCodingMode: mode,
            hasLowFrequencyEffects: mode % 2 == 1,
            bitRateCode: 2
        )
        let configuration: CodecConfiguration =
            isEnhanced ? .eac3(EAC3Configuration(dataRate: 96, independentSubstreams: [substream])) : .ac3(ac3)
        let silence = [UInt8](try #require(AudioSilence.frame(for: configuration)).readableBytesView)
        let track = InputTrack(index: 0, kind: .audio, codec: isEnhanced ? .eac3 : .ac3)
        var reader = try #require(try track.audioFrameReader())
        let stream = Array(repeatElement(silence, count: 10).joined())
        #expect(try reader.read(stream).frames.count == 10)
        #expect(reader.codecConfiguration == configuration)
        let decoded = try await FFmpegAudio.withFile("bin") { output in
            try Data(stream).write(to: output)
            return try await FFmpegAudio.decode(output, ["-f", isEnhanced ? "eac3" : "ac3"])
        }
        let channels = try #require(configuration.audio?.channels)
        #expect(decoded.count == channels * 1536 * 10)
        #expect(decoded.allSatisfy { $0 == 0 })
    }

    @Test func silenceOfEnhancedAC3HasItsBitRate() throws {
        let substream = EAC3Configuration.Substream(
            sampleRateCode: 0,
            bitstreamMode: 2,
            audioCodingMode: 7,
            hasLowFrequencyEffects: true
        )
        let configuration = EAC3Configuration(dataRate: 448, independentSubstreams: [substream])
        let silence = try #require(AudioSilence.frame(for: .eac3(configuration)))
        #expect(silence.readableBytes == 448_000 * 1536 / 48_000 / 8)
        var reader = try #require(try InputTrack(index: 0, kind: .audio, codec: .eac3).audioFrameReader())
        #expect(try reader.read([UInt8](silence.readableBytesView)).frames.count == 1)
        #expect(reader.codecConfiguration == .eac3(configuration))
    }

    @Test func whatIsMissingMakesNoSilence() {
        let eac3 = EAC3Configuration(dataRate: 448, independentSubstreams: [])
        #expect(AudioSilence.frame(for: .eac3(eac3)) == nil)
        let alac = ALACConfiguration(
            specificConfig: [],
            sampleRate: 48_000,
            channels: 2,
            bitsPerSample: 16,
            samplesPerFrame: 4096
        )
        #expect(AudioSilence.frame(for: .alac(alac)) == nil)
        let mp3 = MPEGAudioConfiguration(layer: 3, sampleRate: 47_000, channels: 2)
        #expect(AudioSilence.frame(for: .mpegAudio(mp3)) == nil)
    }
}
