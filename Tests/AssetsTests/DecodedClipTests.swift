import Foundation
import Inspection
import MediaCore
import NIOCore
import Playlists
import Rekeying
import TestSupport
import Testing

@testable import Assets

/// FFmpeg is the judge: it decodes clips of media that it has encoded, and finds the pictures that were asked for.
@Suite(.serialized) struct DecodedClipTests {
    /// Media that FFmpeg has encoded, one fragment a segment.
    private struct EncodedMedia: RecordedMedia {
        var bodies: [String: ByteBuffer] = [:]

        func bytes(at path: String) throws -> ByteBuffer? { bodies[path] }

        /// Takes a file apart.
        ///
        /// - Returns: The rendition, its media time at ``MadeMedia/epoch`` being 0.
        mutating func rendition(_ file: String, _ id: RenditionID, timescale: Int64) throws -> ClipRendition {
            var bytes = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: file)))
            var rendition = ClipRendition(id: id, segments: [])
            var (section, fragment) = (ByteBuffer(), ByteBuffer())
            while let size = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self) {
                let type = bytes.getString(at: bytes.readerIndex + 4, length: 4) ?? ""
                guard let box = bytes.readSlice(length: Int(size)) else { break }
                switch type {
                case "ftyp", "moov": section.writeImmutableBuffer(box)
                case "moof": fragment = box
                case "mdat":
                    fragment.writeImmutableBuffer(box)
                    let path = "\(id)/\(rendition.segments.count).m4s"
                    bodies[path] = fragment
                    let time = try #require(try ParsedFragment.fragments(in: fragment).first?.baseMediaDecodeTime)
                    let line = MediaPlaylist.Segment(
                        uri: path,
                        duration: SegmentDuration(value: 1, timescale: 1),
                        programDateTime: MadeMedia.epoch + MediaTime(Int64(time), timescale: timescale),
                        map: MediaInitialization(uri: "\(id)/init.mp4")
                    )
                    let number = MediaSequenceNumber(Int64(rendition.segments.count))
                    rendition.segments.append(.init(number: number, line: line))
                default: break
                }
            }
            bodies["\(id)/init.mp4"] = section
            return rendition
        }
    }

    @Test func framesAreThoseThatWereAskedFor() async throws {
        let folder = try TemporaryDirectory()
        let (video, audio) = (folder.file("video.mp4"), folder.file("audio.mp4"))
        let fragmented = "frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets"
        try await Self.run(
            ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]
                + ["-g", "25", "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-movflags", fragmented, video]
        )
        try await Self.run(
            ["-f", "lavfi", "-i", "sine=r=48000:d=8", "-ac", "2", "-c:a", "aac", "-frag_duration", "1000000"]
                + ["-movflags", "empty_moov+default_base_moof", audio]
        )
        var media = EncodedMedia()
        let renditions = [
            try media.rendition(video, "video", timescale: 12_800),
            try media.rendition(audio, "audio", timescale: 48_000),
        ]
        let expected = try await Self.frames(of: video)
        #expect(expected.count == 200)
        let clip = folder.file("clip.mp4")
        let maker = ClipMaker(media, opener: SegmentOpener(known: [:]))
        let piece = MadeMedia.time(2.52)..<MadeMedia.time(5.8)
        _ = try maker.make(renditions, pieces: [piece], at: clip)
        #expect(try await Self.frames(of: clip) == Array(expected[63..<145]))
        let duration = try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", clip]
        )
        #expect(Double(duration.trimmingCharacters(in: .whitespacesAndNewlines)) == 3.28)
        let both = [piece, MadeMedia.time(6.2)..<MadeMedia.time(7)]
        _ = try maker.make(renditions, pieces: both, at: clip)
        #expect(try await Self.frames(of: clip) == Array(expected[63..<145] + expected[155..<175]))
    }

    private static func run(_ arguments: [String]) async throws {
        let program = try Program("ffmpeg", ["-v", "error", "-nostdin"] + arguments)
        guard await program.exitCode() == 0 else { throw Program.Failure(description: program.errors) }
    }

    /// Checksums of the pictures that a player would show.
    private static func frames(of path: String) async throws -> [String] {
        let list = path + ".framemd5"
        try await run(["-i", path, "-map", "0:v", "-vsync", "passthrough", "-f", "framemd5", "-y", list])
        return try String(contentsOfFile: list, encoding: .utf8)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }
}
