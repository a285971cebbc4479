import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

struct ADTSFramingTests {
    @Test(arguments: [(1, 48_000), (2, 44_100), (6, 32_000)])
    func headersAreWhatFFmpegWrites(channels: Int, rate: Int) async throws {
        let (probe, stream) = try await FFmpegAudio.withFile("mp4") { file in
            try await FFmpegAudio.encode("aac", rate: rate, channels: channels, to: file, format: "mp4")
            let stream = file.appendingPathExtension("aac")
            defer { try? FileManager.default.removeItem(at: stream) }
            try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-i", file.path, "-c", "copy", stream.path])
            return (try await FFmpegAudio.probe(file), [UInt8](try Data(contentsOf: stream)))
        }
        let framing = try ADTSFraming(AACConfiguration(audioSpecificConfig: probe.header))
        let written = try probe.packets.flatMap { packet in
            try framing.header(for: ByteBuffer(bytes: packet.bytes)) + packet.bytes
        }
        #expect(written == stream)
    }

    @Test(arguments: [("1190", 48_000, 2), ("2b118800", 24_000, 2), ("eb098800", 24_000, 1), ("1238", 44_100, 8)])
    func theCoreIsReadBack(config: String, rate: Int, channels: Int) throws {
        let configuration = try AACConfiguration(audioSpecificConfig: [UInt8](hex: config))
        let frame = ByteBuffer(bytes: [0x21, 0, 1, 2])
        let packet = try ADTSFraming(configuration).header(for: frame) + frame.readableBytesView
        var reader = try AACFrameReader(header: [])
        #expect(try reader.read(packet).frames == [AudioFrame(payload: frame, samples: 1024)])
        #expect(reader.configuration?.coreSampleRate == rate)
        #expect(reader.configuration?.channels == channels)
        #expect(reader.configuration?.objectType == 2)
    }

    @Test func channelsWithoutAConfigurationStandAheadOfTheFrame() throws {
        let config = [UInt8](hex: "118004c848002000c44000")
        let configuration = try AACConfiguration(audioSpecificConfig: config)
        let framing = try ADTSFraming(configuration)
        let frame = ByteBuffer(bytes: [0x21, 0, 1, 2])
        let header = try framing.header(for: frame)
        #expect(header.count > ADTSFraming.headerLength)
        var reader = try AACFrameReader(header: [])
        let read = try reader.read(header + frame.readableBytesView)
        #expect(reader.configuration == configuration)
        // The frame now describes itself, and is not described again.
        let described = try #require(read.frames.first).payload
        #expect(described.readableBytes == header.count - ADTSFraming.headerLength + 4)
        #expect(try framing.header(for: described).count == ADTSFraming.headerLength)
    }

    @Test func whatAHeaderCannotSayIsRefused() throws {
        // 7.1 with height, by channelConfiguration 14; and 50 kHz, by an escape.
        #expect(throws: CodecError.unsupported("channelConfiguration 14 in ADTS")) {
            try ADTSFraming(AACConfiguration(audioSpecificConfig: [0x11, 0xF0]))
        }
        #expect(throws: CodecError.unsupported("sample rate 50000 in ADTS")) {
            try ADTSFraming(AACConfiguration(audioSpecificConfig: [UInt8](hex: "1780 61a8 10")))
        }
        let framing = try ADTSFraming(AACConfiguration(audioSpecificConfig: [0x11, 0x90]))
        #expect(throws: CodecError.unsupported("AAC frame of 8185 bytes in ADTS")) {
            try framing.header(for: ByteBuffer(repeating: 0x21, count: 8185))
        }
        #expect(try framing.header(for: ByteBuffer(repeating: 0x21, count: 8184)).count == 7)
    }

    @Test(arguments: [("11b0", 6), ("11b8", 8), ("11d8", 7), ("11e0", 8), ("11f0", 8), ("1230", 6)])
    func moreThanStereoIsCounted(config: String, channels: Int) throws {
        #expect(try AACConfiguration(audioSpecificConfig: [UInt8](hex: config)).channels == channels)
    }
}
