import Codecs
import Foundation
import MPEGTS
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Feeds of every codec, as FFmpeg writes them, against what ffprobe says of them with its parsers.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CodecTests {
    private static let noise = ["-f", "lavfi", "-i", "anoisesrc=seed=1:amplitude=0.3:duration=2:sample_rate="]
    private static let pictures = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=1"]

    /// Makes a file of noise, of so many channels.
    static func makeAudio(_ file: String, encoder: String, sampleRate: Int, channels: Int = 2) async throws {
        try await Program.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y"] + noise.dropLast() + ["\(noise[3])\(sampleRate)"]
                + ["-ac", "\(channels)", "-c:a", encoder, "-strict", "-2", file]
        )
    }

    static func makePictures(_ file: String, _ encoder: [String]) async throws {
        try await Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + pictures + ["-c:v"] + encoder + [file])
    }

    @Test(arguments: [
        ("mp2", InputTrack.Codec.mp2, 48_000, 2), ("mp2", .mp2, 44_100, 2), ("mp2", .mp2, 32_000, 1),
        ("mp2", .mp2, 22_050, 2), ("libmp3lame", .mp3, 48_000, 2), ("libmp3lame", .mp3, 44_100, 1),
        ("libmp3lame", .mp3, 24_000, 2), ("libmp3lame", .mp3, 8000, 1), ("ac3", .ac3, 48_000, 6),
        ("ac3", .ac3, 44_100, 2),
        ("ac3", .ac3, 32_000, 1), ("eac3", .eac3, 48_000, 6), ("eac3", .eac3, 44_100, 2), ("libopus", .opus, 48_000, 2),
        ("aac", .aac, 48_000, 2), ("aac", .aac, 44_100, 6),
    ])
    func audioInTransportStreamsComesInWholeFrames(
        encoder: String,
        codec: InputTrack.Codec,
        sampleRate: Int,
        channels: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.ts"
            try await Self.makeAudio(file, encoder: encoder, sampleRate: sampleRate, channels: channels)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.codec) } == [[codec]])
            let expected = try await probe(file, stream: "a:0")
            let frames = record.frames(of: 0, syntax: codec == .opus ? nil : AudioFrameSyntax(codec))
            #expect(frames.count > 20)
            #expect(frames.map(\.byteCount) == expected.map(\.byteCount))
            // ffprobe counts from each PES packet on in whole ticks.
            let deviations = zip(frames, expected).map { abs($0.timestamp - $1.timestamp) }
            #expect(deviations.max() ?? .max <= (sampleRate == 48_000 ? 0 : 10))
            if sampleRate == 48_000 { #expect(record.span(of: 0) != nil) }
            if codec == .opus { #expect(record.openings[0][0].header.starts(with: Array("OpusHead".utf8))) }
        }
    }

    @Test(arguments: [("mp2", AudioFrameSyntax.mpegAudio), ("ac3", .dolby), ("eac3", .dolby), ("libopus", .opus)])
    func framesAreWholeHoweverPESPacketsCutThem(encoder: String, syntax: AudioFrameSyntax) async throws {
        try await withTemporaryFolder { folder in
            try await Self.makeAudio("\(folder)/feed.ts", encoder: encoder, sampleRate: 48_000)
            let packets = try elementaryPackets(of: "\(folder)/feed.ts")
            let stream = packets.flatMap { $0 }
            var starts: [Int] = []
            var offset = 0
            while let header = syntax.wholeHeader(Array(stream[offset...]).span.bytes) {
                starts.append(offset)
                offset += header.byteCount
            }
            #expect(offset == stream.count && starts.count > 20)
            for size in [50, 777, 1153, 5000] {
                var assembler = FrameAssembler(syntax: syntax)
                var clock = FrameClock(syntax: syntax)
                var result: [(Int64?, [UInt8])] = []
                func deliver(_ info: PacketInfo, _ bytes: [UInt8]) {
                    var info = info
                    clock.packetRead(&info, payload: bytes.span.bytes, modulus: nil)
                    result.append((info.presentationTimestamp, bytes))
                }
                let length = syntax.wholeHeader(stream.span.bytes).map { $0.samples * 90_000 / $0.sampleRate } ?? 0
                for start in stride(from: 0, to: stream.count, by: size) {
                    let range = start..<min(start + size, stream.count)
                    let time = starts.firstIndex { range.contains($0) }.map { Int64($0) * length }
                    let info = PacketInfo(trackIndex: 0, presentationTimestamp: time, decodeTimestamp: time)
                    let assembled = assembler.packetRead(info, payload: Array(stream[range]).span.bytes)
                    if let joined = assembled.joined { deliver(joined.info, joined.bytes) }
                    if !assembled.whole.isEmpty { deliver(info, Array(stream[assembled.whole.shifted(start)])) }
                }
                #expect(result.flatMap(\.1) == stream)
                offset = 0
                for (time, bytes) in result {
                    #expect(starts.firstIndex(of: offset).map { Int64($0) * length } == time)
                    offset += bytes.count
                }
            }
        }
    }

    /// ATSC A/52 annex G: the stream type alone says that it is E-AC-3.
    @Test func eac3NeedsNoRegistrationDescriptor() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.ts"
            try await Self.makeAudio(file, encoder: "eac3", sampleRate: 48_000)
            let registered = await read(file)
            var bytes = try Data(contentsOf: URL(filePath: file))
            let descriptor = Data([5, 4]) + Data("EAC3".utf8)
            while let place = bytes.range(of: descriptor)?.lowerBound {
                // A private descriptor, of which nobody knows anything.
                bytes[place] = 0xFE
                // The program map stands behind the head of a packet and pointer_field 0, its checksum at its end.
                let section = place - place % TransportPacket.byteCount + 5
                let end = section + 3 + Int(bytes[section + 1] & 0x0F) << 8 + Int(bytes[section + 2]) - 4
                bytes.replaceSubrange(end..<end + 4, with: SectionChecksum.value(bytes[section..<end]).bigEndianBytes)
            }
            try bytes.write(to: URL(filePath: file))
            let record = await read(file)
            #expect(record.openings == registered.openings)
            #expect(record.openings.map { $0.map(\.codec) } == [[.eac3]])
            #expect(record.packets.count > 20)
            #expect(record.packets == registered.packets)
            #expect(record.payloads == registered.payloads)
        }
    }

    /// Also of ADTS under its stream type: libavformat would hold back the whole feed to tell them apart.
    @Test(arguments: ["aac", "copy"])
    func audioInLATMIsLeftOut(encoder: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.ts"
            let tracks = ["-map", "0:v", "-map", "0:a:0", "-c:v", "copy", "-c:a", encoder, "-mpegts_flags", "latm"]
            try await Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", sample, "-t", "2"] + tracks + [file]
            )
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.codec) } == [[.h264, .unsupported("aac_latm")]])
            #expect(record.packets(of: 0).count >= 49)
        }
    }

    @Test(arguments: [
        ("ac3", InputTrack.Codec.ac3, "mp4", false), ("eac3", .eac3, "mp4", false), ("libmp3lame", .mp3, "mp4", false),
        ("libopus", .opus, "mp4", true), ("flac", .flac, "mp4", true), ("alac", .alac, "mp4", true),
        ("mp2", .mp2, "mkv", false), ("libmp3lame", .mp3, "mkv", false), ("ac3", .ac3, "mkv", false),
        ("eac3", .eac3, "mkv", false), ("libopus", .opus, "mkv", true), ("flac", .flac, "mkv", true),
        ("alac", .alac, "mkv", true), ("libmp3lame", .mp3, "flv", false),
    ])
    func audioInOtherContainersIsReadAsItIs(
        encoder: String,
        codec: InputTrack.Codec,
        container: String,
        hasHeader: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.\(container)"
            try await Self.makeAudio(file, encoder: encoder, sampleRate: container == "flv" ? 44_100 : 48_000)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.codec) } == [[codec]])
            #expect(record.openings.first?.first?.header.isEmpty == !hasHeader)
            #expect(record.openings.first?.first?.program == nil)
            let (frames, probed) = (record.frames(of: 0, syntax: nil), try await probe(file, stream: "a:0"))
            #expect(frames.map(\.byteCount) == probed.map(\.byteCount))
            // FLV and Matroska round to milliseconds, ours are exact: later by two of these at most.
            let most: Int64 = container == "mp4" ? 0 : 180
            #expect(zip(frames, probed).allSatisfy { (0...most).contains($0.timestamp - $1.timestamp) })
        }
    }

    @Test(arguments: [
        (["libx265", "-x265-params", "log-level=none"], InputTrack.Codec.hevc, "mp4"),
        (["libx265", "-x265-params", "log-level=none"], .hevc, "mkv"),
        (["libsvtav1", "-preset", "12"], .av1, "mp4"), (["libsvtav1", "-preset", "12"], .av1, "mkv"),
    ])
    func picturesInOtherContainersAreReadAsTheyAre(
        encoder: [String],
        codec: InputTrack.Codec,
        container: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.\(container)"
            try await Self.makePictures(file, encoder)
            let record = await read(file)
            #expect(record.openings.map { $0.map(\.codec) } == [[codec]])
            #expect(record.openings.first?.first?.header.isEmpty == false)
            #expect(try await record.frames(of: 0, syntax: nil) == probe(file, stream: "v:0"))
        }
    }

    @Test func hevcPicturesOfATransportStreamAreOnePacketEach() async throws {
        try await withTemporaryFolder { folder in
            try await Self.makePictures("\(folder)/feed.ts", ["libx265", "-x265-params", "log-level=none:slices=3"])
            let units = try elementaryPackets(of: "\(folder)/feed.ts")
            let record = await read("\(folder)/feed.ts")
            #expect(record.openings.map { $0.map(\.codec) } == [[.hevc]])
            #expect(record.payloads == units)
            #expect(
                try await record.frames(of: 0, syntax: nil).map(\.timestamp)
                    == probe("\(folder)/feed.ts", stream: "v:0").map(\.timestamp)
            )
            var generator = SeededGenerator(seed: 8)
            var writer = TransportStreamWriter(streamType: 0x24)
            for (unit, info) in zip(units, record.packets) {
                let cut = Int.random(in: 8..<unit.count, using: &generator)
                let times = (info.presentationTimestamp ?? 0, info.decodeTimestamp ?? 0)
                writer.writePES(Array(unit[..<cut]), timestamps: times)
                writer.writePES(Array(unit[cut...]), timestamps: nil)
            }
            try Data(writer.bytes).write(to: URL(filePath: "\(folder)/cut.ts"))
            let joined = await read("\(folder)/cut.ts")
            // Nothing tells before the second packet that there is more of the first.
            #expect(joined.payloads.dropFirst() == record.payloads.dropFirst())
            #expect(joined.packets.map(\.presentationTimestamp) == record.packets.map(\.presentationTimestamp))
        }
    }

    @Test(arguments: ["mp2", "ac3", "libopus", "hevc"])
    func damageNeitherCrashesNorHangs(encoder: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.ts"
            if encoder == "hevc" {
                try await Self.makePictures(file, ["libx265", "-x265-params", "log-level=none"])
            } else {
                try await Self.makeAudio(file, encoder: encoder, sampleRate: 48_000)
            }
            let original = try Data(contentsOf: URL(filePath: file))
            var generator = SeededGenerator(seed: 2)
            for round in 0..<12 {
                var bytes =
                    round % 4 == 0 ? original.prefix(Int.random(in: 0..<original.count, using: &generator)) : original
                for _ in 0..<(round % 4 * 40) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                try bytes.write(to: URL(filePath: file))
                let record = await read(file, options: .init(audioTranscoding: .all)) {
                    $0.isEnded || !$0.losses.isEmpty
                }
                #expect(record.isEnded || !record.losses.isEmpty)
            }
        }
    }

    /// The payloads of the PES packets of a transport stream of one track.
    private func elementaryPackets(of file: String) throws -> [[UInt8]] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: 188)
        where bytes[start + 1] & 0x1F == 1 && bytes[start + 2] == 0 {
            var offset = start + 4
            if bytes[start + 3] & 0x20 != 0 { offset += 1 + Int(bytes[offset]) }
            if bytes[start + 1] & 0x40 != 0 {
                packets.append([])
                offset += 9 + Int(bytes[offset + 8])
            }
            if bytes[start + 3] & 0x10 != 0 { packets[packets.count - 1] += bytes[offset..<start + 188] }
        }
        return packets
    }
}

extension Range<Int> {
    fileprivate func shifted(_ distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
