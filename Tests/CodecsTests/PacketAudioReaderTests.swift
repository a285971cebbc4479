import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

/// Codecs whose packets the container keeps apart.
struct PacketAudioReaderTests {
    struct Stream: CustomTestStringConvertible, Sendable {
        var encoder: String
        var codec: InputTrack.Codec
        var rate: Int
        var channels: Int
        var options: [String] = []
        var testDescription: String { "\(encoder) \(rate) Hz, \(channels) channels \(options.joined(separator: " "))" }

        static let all: [Stream] =
            [1, 2, 6].flatMap { channels in
                [32_000, 44_100, 48_000].flatMap { rate in
                    [
                        Stream(encoder: "flac", codec: .flac, rate: rate, channels: channels),
                        Stream(encoder: "alac", codec: .alac, rate: rate, channels: channels),
                        Stream(encoder: "aac", codec: .aac, rate: rate, channels: channels),
                    ]
                } + [Stream(encoder: "libopus", codec: .opus, rate: 48_000, channels: channels)]
            }
            + ["2.5", "5", "10", "40", "60", "120"].map {
                let options = ["-frame_duration", $0]
                return Stream(encoder: "libopus", codec: .opus, rate: 48_000, channels: 2, options: options)
            } + [
                Stream(
                    encoder: "libopus",
                    codec: .opus,
                    rate: 48_000,
                    channels: 1,
                    options: ["-application", "voip", "-b:a", "12k"]
                ),
                Stream(encoder: "flac", codec: .flac, rate: 96_000, channels: 2, options: ["-sample_fmt", "s32"]),
                Stream(encoder: "alac", codec: .alac, rate: 48_000, channels: 2, options: ["-sample_fmt", "s32p"]),
            ]
    }

    @Test(arguments: Stream.all.oneIn(2))
    func packetsLastAsLongAsFFmpegSays(stream: Stream) async throws {
        let probe = try await FFmpegAudio.withFile("mp4") { file in
            try await FFmpegAudio.encode(
                stream.encoder,
                rate: stream.rate,
                channels: stream.channels,
                options: stream.options,
                to: file,
                format: "mp4"
            )
            return try await FFmpegAudio.probe(file)
        }
        let track = InputTrack(index: 0, kind: .audio, codec: stream.codec, header: probe.header)
        var reader = try #require(try track.audioFrameReader())
        var frames: [AudioFrame] = []
        for packet in probe.packets {
            let result = try reader.read(packet.bytes)
            #expect(result.configurationChanged == frames.isEmpty)
            frames += result.frames
        }
        let audio = try #require(reader.codecConfiguration?.audio)
        #expect(frames.map { [UInt8]($0.payload.readableBytesView) } == probe.packets.map(\.bytes))
        #expect(audio.sampleRate == probe.sampleRate)
        #expect(audio.channels == probe.channels)
        // MP4 cuts the last one short by what was padded.
        #expect(frames.dropLast().map(\.samples) == probe.packets.dropLast().map(\.duration))
        if stream.codec == .flac || stream.codec == .alac {
            #expect(frames.last?.samples == probe.packets.last?.duration)
        }
    }

    @Test(arguments: ["2.5", "20"])
    func aTransportStreamFramesOpusPackets(duration: String) async throws {
        let (parsed, whole) = try await FFmpegAudio.withFile("ts") { file in
            try await FFmpegAudio.encode(
                "libopus",
                rate: 48_000,
                channels: 2,
                options: ["-frame_duration", duration, "-b:a", "256k"],
                to: file,
                format: "mpegts"
            )
            return (try await FFmpegAudio.probe(file), try await FFmpegAudio.probe(file, ["-fflags", "noparse"]))
        }
        var reader = try OpusFrameReader(header: whole.header)
        var frames: [AudioFrame] = []
        for packet in whole.packets { frames += try reader.read(packet.bytes).frames }
        #expect(whole.packets.count < parsed.packets.count || duration == "20")
        let expected = parsed.packets.map(\.bytes).filter { !$0.isEmpty }
        #expect(frames.map { [UInt8]($0.payload.readableBytesView) } == expected)
        #expect(Set(frames.map(\.samples)) == [duration == "20" ? 960 : 120])
    }

    @Test(arguments: [
        ("fc", 960), ("00", 480), ("18", 2880), ("80", 120), ("f9", 1920), ("fb06", 5760),
    ])
    func anOpusPacketSaysItsLength(hex: String, samples: Int) throws {
        var reader = try OpusFrameReader(header: [UInt8](hex: "4f7075734865616401023801 80bb0000 0000 00"))
        #expect(try reader.read([UInt8](hex: hex)).frames.map(\.samples) == [samples])
    }

    @Test(arguments: [
        ("fb07", CodecError.invalid("Opus frame count")), ("fb00", .invalid("Opus frame count")),
        ("1b03", .invalid("Opus frame count")), ("fb", .truncated), ("", .truncated), ("7fe005fc", .truncated),
        ("7fe000fc", .invalid("au_size")),
    ])
    func whatIsNoOpusPacketIsAnError(hex: String, error: CodecError) throws {
        var reader = try OpusFrameReader(header: [UInt8](hex: "4f7075734865616401023801 80bb0000 0000 00"))
        let packet = [UInt8](hex: hex)
        #expect(throws: error) { try reader.read(packet) }
    }

    @Test func anOpusHeaderIsRead() throws {
        let short = [UInt8](hex: "4f7075734865616401023801 80bb0000 00ff 00")
        let stereo = try OpusConfiguration(identificationHeader: short)
        #expect(stereo == OpusConfiguration(channels: 2, preSkip: 312, inputSampleRate: 48_000, outputGain: -256))
        let header = [UInt8](hex: "4f7075734865616401063801 80bb0000 0000 01 0402000401020305")
        let surround = try OpusConfiguration(identificationHeader: header)
        #expect(surround.mappingTable.hex == "0402000401020305")
        #expect(throws: CodecError.truncated) { try OpusConfiguration(identificationHeader: header.dropLast()) }
    }

    @Test func aFLACHeaderComesInEveryWrapping() throws {
        let streamInfo = [UInt8](hex: "1000100000000e0017550bb802f000010000 00000000000000000000000000000000")
        let block = [0x80, 0, 0, 34] + streamInfo
        let bare = try FLACConfiguration(header: streamInfo)
        #expect(bare.sampleRate == 48_000 && bare.channels == 2 && bare.bitsPerSample == 16)
        #expect(bare.samplesPerFrame == 4096)
        #expect(try FLACConfiguration(header: block) == bare)
        #expect(try FLACConfiguration(header: Array("fLaC".utf8) + block) == bare)
        #expect(try FLACConfiguration(header: [0, 0, 0, 0] + block) == bare)
        #expect(throws: CodecError.truncated) { try FLACConfiguration(header: streamInfo.dropLast()) }
    }
}
