import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Real streams of the codecs that frame themselves.
struct FramedAudioReaderTests {
    struct Stream: CustomTestStringConvertible, Sendable {
        var encoder: String
        var codec: InputTrack.Codec
        var rate: Int
        var channels: Int
        var options: [String] = []

        var format: String { encoder == "libmp3lame" ? "mp3" : encoder }
        var testDescription: String { "\(encoder) \(rate) Hz, \(channels) channels \(options.joined(separator: " "))" }

        static let dolby: [Stream] = ["ac3", "eac3"].flatMap { encoder in
            [32_000, 44_100, 48_000].flatMap { rate in
                [1, 2, 6].map {
                    Stream(encoder: encoder, codec: encoder == "ac3" ? .ac3 : .eac3, rate: rate, channels: $0)
                }
            }
        }
        static let mpeg: [Stream] = [("mp2", InputTrack.Codec.mp2), ("libmp3lame", .mp3)].flatMap { encoder, codec in
            [16_000, 22_050, 24_000, 32_000, 44_100, 48_000].flatMap { rate in
                (rate < 32_000 ? [2] : [1, 2]).map {
                    Stream(encoder: encoder, codec: codec, rate: rate, channels: $0)
                }
            }
        }
        static let others: [Stream] =
            [8_000, 11_025, 12_000].map {
                Stream(encoder: "libmp3lame", codec: .mp3, rate: $0, channels: 2, options: ["-q:a", "5"])
            }
        /// Streams whose syncframes have three, two and one block.
        static let fewBlocks: [Stream] = ["1500k", "2500k", "5000k"].map {
            Stream(encoder: "eac3", codec: .eac3, rate: 48_000, channels: 2, options: ["-b:a", $0])
        }
    }

    private func samples(of stream: Stream) async throws -> (bytes: [UInt8], probe: FFmpegAudio.Probe) {
        try await FFmpegAudio.withFile(stream.format) { file in
            try await FFmpegAudio.encode(
                stream.encoder,
                rate: stream.rate,
                channels: stream.channels,
                options: stream.options + (stream.codec == .mp3 ? ["-write_xing", "0", "-id3v2_version", "0"] : []),
                to: file,
                format: stream.format
            )
            return ([UInt8](try Data(contentsOf: file)), try await FFmpegAudio.probe(file))
        }
    }

    private func reader(_ codec: InputTrack.Codec) throws -> any AudioFrameReader {
        try #require(try InputTrack(index: 0, kind: .audio, codec: codec).audioFrameReader())
    }

    @Test(arguments: (Stream.dolby + Stream.mpeg + Stream.others).oneIn(2))
    func everyFrameIsFoundAsFFmpegFindsIt(stream: Stream) async throws {
        let (bytes, probe) = try await samples(of: stream)
        var reader = try reader(stream.codec)
        let result = try reader.read(bytes)
        #expect(result.frames.map { [UInt8]($0.payload.readableBytesView) } == probe.packets.map(\.bytes))
        #expect(result.unreadableBytes == 0)
        #expect(result.configurationChanged)
        let audio = try #require(reader.codecConfiguration?.audio)
        #expect(audio.sampleRate == probe.sampleRate)
        #expect(audio.channels == probe.channels)
        #expect(result.frames.allSatisfy { $0.samples == audio.samplesPerFrame })
        switch reader.codecConfiguration {
        case .ac3(let ac3)?: #expect([6: 96, 10: 192, 15: 448][Int(ac3.bitRateCode)] == probe.bitRate / 1000)
        case .eac3(let eac3)?: #expect(abs(Int(eac3.dataRate) - probe.bitRate / 1000) < 3)
        case .mpegAudio(let audio)?: #expect((audio.layer == 3) == (stream.codec == .mp3))
        default: Issue.record("another codec")
        }
        let decoded = try await FFmpegAudio.withFile(stream.format) { file in
            try Data(bytes).write(to: file)
            return try await FFmpegAudio.decode(file, ["-flags2", "+skip_manual"])
        }
        #expect(decoded.count / probe.channels == result.frames.reduce(0) { $0 + $1.samples })
    }

    @Test(arguments: Stream.fewBlocks)
    func sixBlocksAreOneFrame(stream: Stream) async throws {
        let (bytes, probe) = try await samples(of: stream)
        var reader = try reader(.eac3)
        let frames = try reader.read(bytes).frames
        let blocks = try #require([1, 2, 3].first { probe.packets.count / (6 / $0) == frames.count })
        let syncframes = 6 / blocks
        let joined = frames.indices.map { frame in
            (0..<syncframes).flatMap { probe.packets[frame * syncframes + $0].bytes }
        }
        #expect(frames.map { [UInt8]($0.payload.readableBytesView) } == joined)
        guard case .eac3(let configuration)? = reader.codecConfiguration else {
            Issue.record("no configuration")
            return
        }
        #expect(configuration.independentSubstreams.count == 1)
        // What ffprobe says, it takes from the size of the file.
        #expect(abs(Int(configuration.dataRate) - probe.bitRate / 1000) < 3)
    }

    @Test(arguments: [
        Stream(encoder: "ac3", codec: .ac3, rate: 48_000, channels: 2),
        Stream(encoder: "eac3", codec: .eac3, rate: 48_000, channels: 6),
        Stream(encoder: "libmp3lame", codec: .mp3, rate: 44_100, channels: 2),
    ])
    func behindDamageReadingGoesOnWithTheNextFrame(stream: Stream) async throws {
        let (bytes, probe) = try await samples(of: stream)
        let sizes = probe.packets.map(\.bytes.count)
        // The first whole packet is entered in mid-frame, and a frame in its middle has lost its header.
        let start = sizes[0] / 2
        let third = sizes.prefix(3).reduce(0, +)
        var damaged = bytes
        damaged.replaceSubrange(third..<third + 4, with: [1, 2, 3, 4])
        var reader = try reader(stream.codec)
        let result = try reader.read(Array(damaged.dropFirst(start)))
        let expected = probe.packets.indices.filter { $0 != 0 && $0 != 3 }.map { probe.packets[$0].bytes }
        #expect(result.frames.map { [UInt8]($0.payload.readableBytesView) } == expected)
        #expect(result.unreadableBytes == sizes[0] - start + sizes[3])
    }

    @Test func aPacketHasOneConfiguration() async throws {
        let stereo = Stream(encoder: "ac3", codec: .ac3, rate: 48_000, channels: 2)
        let surround = Stream(encoder: "ac3", codec: .ac3, rate: 48_000, channels: 6)
        let (first, second) = (try await samples(of: stereo).probe, try await samples(of: surround).probe)
        var reader = try reader(.ac3)
        let start = try reader.read(first.packets[0].bytes + second.packets[0].bytes)
        #expect(start.frames.count == 1)
        #expect(start.unreadBytes == second.packets[0].bytes.count)
        #expect(reader.codecConfiguration?.audio?.channels == 2)
        let next = try reader.read(second.packets[0].bytes + second.packets[1].bytes)
        #expect(next.frames.map { [UInt8]($0.payload.readableBytesView) } == second.packets.prefix(2).map(\.bytes))
        #expect(next.configurationChanged && next.unreadBytes == 0)
        #expect(reader.codecConfiguration?.audio?.channels == 6)
        #expect(try !reader.read(second.packets[2].bytes).configurationChanged)
    }
}
