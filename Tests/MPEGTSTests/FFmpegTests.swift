import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

/// FFmpeg reads what is written, and finds in it what its own encoders and muxer have made.
@Suite struct FFmpegTests {
    /// Pictures and frames of a sample that FFmpeg has made, with FFmpeg's times.
    struct Source {
        var streams: [ElementaryStream]
        var units: [[TransportAccessUnit]]

        /// Encodes a sample: 3 s at 25 Hz, a sync sample each second, B-frames, and audio.
        init(in folder: URL, video: [String], audio: [String]) async throws {
            let file = folder.appending(path: "source.ts")
            try await Program.run(
                "ffmpeg",
                ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3"]
                    + ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=3"]
                    + ["-g", "25", "-keyint_min", "25", "-sc_threshold", "0"] + video + audio
                    // One frame in each PES packet, so that FFmpeg's times are known for each.
                    + ["-pes_payload_size", "1", "-f", "mpegts", file.path]
            )
            let parsed = ParsedTransportStream(ByteBuffer(bytes: try Data(contentsOf: file)))
            let map = try #require(parsed.map)
            let kinds: [UInt8: ElementaryStream.Kind] = [
                0x1B: .h264, 0x24: .hevc, 0x0F: .aac, 0x81: .ac3, 0x87: .eac3, 0x03: .mpegAudio,
            ]
            streams = map.streams.compactMap { kinds[$0.type].map { ElementaryStream($0) } }
            units = map.streams.map { stream in
                let packets = parsed.units[stream.pid] ?? []
                let times = packets.compactMap(\.decodeTime)
                return packets.enumerated().map { index, packet in
                    TransportAccessUnit(
                        decodeTime: packet.decodeTime ?? 0,
                        presentationTime: packet.presentationTime ?? 0,
                        duration: index + 1 < times.count ? times[index + 1] - times[index] : 3600,
                        isRandomAccess: packet.isRandomAccess || !stream.isVideo,
                        pieces: [packet.payload]
                    )
                }
            }
            #expect(streams.count == 2)
        }

        /// Three segments, cut at sync samples, all times moved.
        func segments(_ shift: Int64 = 0) throws -> [ByteBuffer] {
            let program = try TransportProgram(streams)
            let cuts = units[0].filter(\.isRandomAccess).map(\.presentationTime)
            #expect(cuts.count == 3)
            return cuts.indices.map { index in
                let from = index == 0 ? Int64.min : cuts[index]
                let to = index + 1 < cuts.count ? cuts[index + 1] : Int64.max
                let units = units.enumerated().map { stream, units in
                    // Pictures follow their sync sample in decoding order.
                    var group = 0
                    return units.filter { unit in
                        if stream > 0 { return unit.presentationTime >= from && unit.presentationTime < to }
                        if unit.isRandomAccess { group += 1 }
                        return group == index + 1
                    }.map { unit in
                        var unit = unit
                        unit.decodeTime += shift
                        unit.presentationTime += shift
                        return unit
                    }
                }
                return TransportStreamSegment(program, units: units).encode().bytes
            }
        }
    }

    /// A packet as FFmpeg's demuxer delivers it.
    private struct Delivered: Hashable, Decodable {
        /// The presentation time stamp; nil if FFmpeg knows none.
        var pts: Int64?
        var dts: Int64?
        var size: String
        var flags: String
        var dataHash: String

        enum CodingKeys: String, CodingKey {
            case pts, dts, size, flags
            case dataHash = "data_hash"
        }
    }

    private struct Packets: Decodable {
        var packets: [Delivered]
    }

    /// Expects FFmpeg to have nothing to say, such as "Continuity check failed" or "Packet corrupt".
    private func probe(_ file: URL, _ stream: String, level: String = "warning") async throws -> [Delivered] {
        let list = file.appendingPathExtension("json")
        let program = try Program(
            "ffprobe",
            ["-v", level, "-select_streams", stream, "-show_packets", "-show_data_hash", "MD5"]
                + ["-of", "json", "-o", list.path, file.path]
        )
        #expect(await program.exitCode() == 0)
        #expect(program.errors == "")
        return try JSONDecoder().decode(Packets.self, from: Data(contentsOf: list)).packets
    }

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mpegts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2"]
    private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:bframes=2"]

    /// Nothing, and what makes times wrap in the middle.
    private static let shifts: [Int64] = [(1 << 33) - 126_000 - 135_000, 0]

    @Test(
        arguments: [[h264, ["aac"]], [h264, ["ac3"]], [h264, ["eac3"]], [h264, ["mp2"]], [hevc, ["aac"]]]
            as [[[String]]],
        shifts.oneIn(2)
    )
    func framesAndTimesAreThoseOfTheSource(_ codecs: [[String]], _ shift: Int64) async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: codecs[0], audio: ["-c:a"] + codecs[1])
        var state: TransportStreamState?
        var joined = ByteBuffer()
        for segment in try source.segments(shift) {
            let parsed = ParsedTransportStream(segment, after: state)
            #expect(parsed.violations == [])
            state = parsed.state
            joined.writeImmutableBuffer(segment)
        }
        let file = folder.appending(path: "joined.ts")
        try Data(joined.readableBytesView).write(to: file)
        for stream in ["v:0", "a:0"] {
            let expected = try await probe(folder.appending(path: "source.ts"), stream)
            let found = try await probe(file, stream)
            // FFmpeg takes the start of a stream that wraps soon as a time before zero.
            let offset = (found.first?.pts ?? 0) - (expected.first?.pts ?? 0)
            #expect(TransportTime.distance(from: shift, to: offset) == 0)
            #expect(expected.count > 70)
            try #require(found.count == expected.count)
            let moved = expected.map { packet in
                var packet = packet
                packet.pts = packet.pts.map { $0 + offset }
                packet.dts = packet.dts.map { $0 + offset }
                return packet
            }
            let differing = zip(found, moved).filter { $0 != $1 }
            #expect(differing.isEmpty, "first: \(differing.first.map { "\($0)" } ?? "")")
        }
        // Every picture decodes to the same.
        let pictures = try await Frames.checksums(["-i", file.path])
        #expect(pictures.count == 75)
        let expected = try await Frames.checksums(["-i", folder.appending(path: "source.ts").path])
        #expect(pictures == expected)
    }

    @Test func timesWrapInTheMiddle() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: Self.h264, audio: ["-c:a", "aac"])
        let first = try #require(source.units[0].first).decodeTime
        let segments = try source.segments((1 << 33) - 90_000 * 3 / 2 - first)
        let times = ParsedTransportStream(segments[1]).units[0x100]?.compactMap(\.decodeTime) ?? []
        let (start, end) = (try #require(times.first), try #require(times.last))
        #expect(start > end)
    }

    @Test func languagesAndMetadataAreAnnounced() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: Self.h264, audio: ["-c:a", "aac"])
        let program = try TransportProgram([
            .init(.h264), .init(.aac, language: "deu", isAudioDescription: true), .init(.timedID3),
        ])
        let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 11, 0x54, 0x49, 0x54, 0x32, 0, 0, 0, 1, 0, 0, 3]
        let metadata = TransportAccessUnit(
            decodeTime: 180_000,
            presentationTime: 180_000,
            duration: 0,
            isRandomAccess: true,
            pieces: [ByteBuffer(bytes: tag)]
        )
        let bytes = TransportStreamSegment(program, units: source.units + [[metadata]]).encode().bytes
        let file = folder.appending(path: "one.ts")
        try Data(bytes.readableBytesView).write(to: file)
        let text = try await Program.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries",
                "stream=codec_name,id:stream_tags=language:stream_disposition=visual_impaired",
            ]
                + ["-of", "compact=p=0", file.path]
        )
        let streams = text.split(separator: "\n").filter { $0.hasPrefix("codec_name") }
        // Once for the program, once for the file.
        try #require(streams.count == 6)
        #expect(streams[3].hasPrefix("codec_name=h264|id=0x100"))
        #expect(streams[4] == "codec_name=aac|id=0x200|disposition:visual_impaired=1|tag:language=deu")
        #expect(streams[5].hasPrefix("codec_name=timed_id3|id=0x300"))
        let packets = try await probe(file, "d:0", level: "error")
        #expect(packets.map(\.pts) == [180_000])
        // FFmpeg 5.1 takes the first five bytes for a metadata_AU_cell, which ID3 has not.
        #expect(packets.map(\.size) == ["16"])
    }

    @Test func encryptedStreamsAreRecognized() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: Self.h264, audio: ["-c:a", "aac"])
        let ac3 = AudioSetupInformation(.ac3, setupData: [0x0B, 0x77, 0, 0, 0x14, 0x40, 0x43, 0xE1, 0, 0])
        let program = try TransportProgram([
            .init(.h264, isEncrypted: true), .init(.aac, isEncrypted: true, audioSetup: Fixture.aacSetup),
            .init(.ac3, isEncrypted: true, audioSetup: ac3), .init(.eac3, isEncrypted: true, audioSetup: ac3),
        ])
        let bytes = TransportStreamSegment(program, units: source.units + [[], []]).encode().bytes
        let file = folder.appending(path: "encrypted.ts")
        try Data(bytes.readableBytesView).write(to: file)
        let list = folder.appending(path: "streams.txt")
        try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "-o", list.path, file.path]
        )
        let names = try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isNewline)
        #expect(names.suffix(4) == ["h264", "aac", "ac3", "eac3"])
    }

    @Test func firstPictureDecodesFromItsBytesAlone() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: Self.h264, audio: ["-c:a", "aac"])
        let (bytes, count) = TransportStreamSegment(try TransportProgram(source.streams), units: source.units).encode()
        let head = try #require(bytes.getSlice(at: 0, length: count ?? 0))
        let file = folder.appending(path: "head.ts")
        try Data(head.readableBytesView).write(to: file)
        let picture = try await Frames.checksums(["-i", file.path])
        #expect(picture.count == 1)
        let expected = try await Frames.checksums(["-i", folder.appending(path: "source.ts").path])
        #expect(picture.first == expected.first)
    }

    @Test func packedAudioIsRead() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Source(in: folder, video: Self.h264, audio: ["-c:a", "aac"])
        let bytes = PackedAudioSegment(presentationTime: 12_345, frames: source.units[1].map(\.payload)).encode()
        let file = folder.appending(path: "packed.aac")
        try Data(bytes.readableBytesView).write(to: file)
        let text = try await Program.run(
            "ffprobe",
            ["-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets:format_tags"]
                + ["-of", "compact=p=0", file.path]
        )
        #expect(text.contains("codec_name=aac|nb_read_packets=\(source.units[1].count)"))
        #expect(text.contains("id3v2_priv.com.apple.streaming.transportStreamTimestamp"))
    }
}
