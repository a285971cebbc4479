import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ISOBMFF
@testable import Inspection

/// Media that FFmpeg encoded is written by this packager, and FFmpeg finds in it what it put in.
@Suite(.serialized) struct DecodedMediaTests {
    private static let picture = "testsrc2=s=192x108:r=25:d=0.6"
    private static let audio = "sine=r=48000:d=0.6"

    /// A codec, and what FFprobe is to say of the file.
    struct Stream: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let fields: String

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static func video(_ options: String, _ fields: String) -> Stream {
        Stream(arguments: [picture] + options.split(separator: " ").map(String.init), fields: fields)
    }

    private static func audio(_ options: String, _ fields: String) -> Stream {
        Stream(arguments: [audio] + options.split(separator: " ").map(String.init), fields: fields)
    }

    /// The side data of `dac3` and `dec3` with bsmod 0.
    private static let mainService = "side_data_type=Audio Service Type|service_type=0"
    private static let x265 = "-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params log-level=none"

    private static let streams = [
        video(x265 + " -pix_fmt yuv420p", "codec_name=hevc|profile=Main|codec_tag_string=hvc1|pix_fmt=yuv420p"),
        video(
            x265 + " -pix_fmt yuv420p10le",
            "codec_name=hevc|profile=Main 10|codec_tag_string=hvc1|pix_fmt=yuv420p10le"
        ),
        video(
            "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p",
            "codec_name=av1|profile=Main|codec_tag_string=av01|pix_fmt=yuv420p"
        ),
        video(
            "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p10le",
            "codec_name=av1|profile=Main|codec_tag_string=av01|pix_fmt=yuv420p10le"
        ),
        audio(
            "-ac 2 -c:a aac",
            "codec_name=aac|profile=LC|codec_tag_string=mp4a|sample_rate=48000|channels=2|channel_layout=stereo"
        ),
        audio(
            "-ac 6 -c:a ac3",
            "codec_name=ac3|codec_tag_string=ac-3|sample_rate=48000|channels=6|channel_layout=5.1(side)|" + mainService
        ),
        audio(
            "-ac 2 -ar 44100 -c:a ac3",
            "codec_name=ac3|codec_tag_string=ac-3|sample_rate=44100|channels=2|channel_layout=stereo|" + mainService
        ),
        audio(
            "-ac 6 -c:a eac3",
            "codec_name=eac3|codec_tag_string=ec-3|sample_rate=48000|channels=6|channel_layout=5.1(side)|" + mainService
        ),
        audio(
            "-ac 2 -c:a libopus",
            "codec_name=opus|codec_tag_string=Opus|sample_rate=48000|channels=2|channel_layout=stereo"
        ),
        audio(
            "-ac 6 -c:a libopus",
            "codec_name=opus|codec_tag_string=Opus|sample_rate=48000|channels=6|channel_layout=5.1"
        ),
        audio(
            "-ac 2 -c:a flac",
            "codec_name=flac|codec_tag_string=fLaC|sample_rate=48000|channels=2|channel_layout=stereo|bits_per_raw_sample=16"
        ),
        audio(
            "-ac 2 -ar 96000 -sample_fmt s32 -c:a flac",
            "codec_name=flac|codec_tag_string=fLaC|sample_rate=96000|channels=2|channel_layout=stereo|bits_per_raw_sample=24"
        ),
        audio(
            "-ac 2 -c:a libmp3lame",
            "codec_name=mp3|codec_tag_string=mp4a|sample_rate=48000|channels=2|channel_layout=stereo"
        ),
        audio(
            "-ac 1 -ar 22050 -c:a libmp3lame",
            "codec_name=mp3|codec_tag_string=mp4a|sample_rate=22050|channels=1|channel_layout=mono"
        ),
        audio(
            "-ac 2 -sample_fmt s32p -c:a alac",
            "codec_name=alac|codec_tag_string=alac|sample_rate=48000|channels=2|channel_layout=stereo|bits_per_raw_sample=24"
        ),
    ]

    @Test(arguments: streams)
    func everyFrameIsDecodedAsFromFFmpegsFile(stream: Stream) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let media = try await EncodedMedia(stream.arguments, in: folder)
        let path = try await media.write("ours.mp4", try CodecConfiguration(media.entry))
        let expected = try await Self.frames(of: media.file.path)
        #expect(expected.count > 5)
        #expect(try await Self.frames(of: path) == expected)
        let fields = try await Self.probe(path)
        #expect(fields == stream.fields)
    }

    @Test func highDynamicRangeIsSaidOutsideOfThePictures() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let stream = Self.video(
            Self.x265 + " -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc",
            ""
        )
        let media = try await EncodedMedia(stream.arguments, in: folder)
        guard case .hevc(var hevc) = try CodecConfiguration(media.entry) else {
            Issue.record("not HEVC")
            return
        }
        hevc.picture.colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
        hevc.picture.sampleAspectRatio = Ratio(4, 3)
        hevc.picture.dynamicRange = DynamicRangeMetadata(
            masteringDisplay: bytes("33c2 86c4 1d4c 0bb8 84d0 3e80 3d13 4042 00989680 00000032"),
            contentLight: bytes("03e8 0190"),
            dolbyVision: DolbyVisionConfiguration(profile: 8, level: 1, compatibilityID: 1)
        )
        let path = try await media.write("ours.mp4", .hevc(hevc))
        #expect(
            try await Self.probe(
                path,
                "codec_tag_string,sample_aspect_ratio,color_space,color_transfer,color_primaries"
            )
                == """
                codec_tag_string=hvc1|sample_aspect_ratio=4:3|color_space=bt2020nc|color_transfer=smpte2084|\
                color_primaries=bt2020|side_data_type=DOVI configuration record|dv_version_major=1|dv_version_minor=0|\
                dv_profile=8|dv_level=1|rpu_present_flag=1|el_present_flag=0|bl_present_flag=1|\
                dv_bl_signal_compatibility_id=1|side_data_type=Mastering display metadata|red_x=34000/50000|\
                red_y=16000/50000|green_x=13250/50000|green_y=34500/50000|blue_x=7500/50000|blue_y=3000/50000|\
                white_point_x=15635/50000|white_point_y=16450/50000|min_luminance=50/10000|max_luminance=10000000/10000|\
                side_data_type=Content light level metadata|max_content=1000|max_average=400
                """
        )
        hevc.picture.dynamicRange.dolbyVision = DolbyVisionConfiguration(profile: 5, level: 1, compatibilityID: 0)
        let other = try await media.write("other.mp4", .hevc(hevc))
        #expect(
            try await Self.probe(other, "codec_tag_string").hasPrefix(
                "codec_tag_string=dvh1|side_data_type=DOVI configuration record|"
            )
        )
        #expect(try await Self.frames(of: other) == Self.frames(of: media.file.path))
    }

    @Test(arguments: [
        video(x265 + " -pix_fmt yuv420p -bf 2", ""), video("-c:v libaom-av1 -cpu-used 8", ""),
    ])
    func segmentUpToTheFirstSamplesEndShowsOnePicture(stream: Stream) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let media = try await EncodedMedia(stream.arguments, in: folder)
        let path = try await media.write("ours.mp4", try CodecConfiguration(media.entry))
        let file = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: path)))
        let first = try #require(try ParsedFragment.fragments(in: file).first?.samples.first)
        let cut = folder.appending(path: "cut.mp4")
        try Data(file.readableBytesView.prefix(first.range.upperBound)).write(to: cut)
        let pictures = try await Self.frames(of: path)
        #expect(try await Self.frames(of: cut.path, ["-v", "fatal"]) == [pictures[0]])
    }

    @Test(arguments: [
        (video(x265 + " -pix_fmt yuv420p -bf 2", ""), 96), (video("-c:v libaom-av1 -cpu-used 8", ""), 64),
        (audio("-ac 2 -c:a aac", ""), 0), (audio("-ac 6 -c:a eac3", ""), 0), (audio("-ac 2 -c:a flac", ""), 0),
    ])
    func counterModeIsDecrypted(stream: Stream, clearBytes: Int) async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let media = try await EncodedMedia(stream.arguments, in: folder)
        let key = Bytes16(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100)
        let encryption = CounterMode(keyID: Fixture.keyID, key: key, clearBytes: clearBytes, folder: folder)
        let configuration = try CodecConfiguration(media.entry)
        let path = try await media.write("ours.mp4", configuration, encryption: encryption)
        let expected = try await Self.frames(of: media.file.path)
        // FFmpeg 5.1 reads all fragments of a file that it can seek in first, and then takes the last one's IVs for all.
        let options = ["-seekable", "0", "-decryption_key"]
        #expect(try await Self.frames(of: path, options + [key.hex]) == expected)
        let withAnotherKey = try? await Self.frames(of: path, options + [Fixture.keyID.bytes.hex])
        #expect(withAnotherKey != expected)
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "isobmff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Checksums of the decoded pictures or of the audio's frames.
    private static func frames(of path: String, _ options: [String] = []) async throws -> [String] {
        let list = path + ".framemd5"
        try await Program.finish(
            "ffmpeg",
            ["-v", "error", "-nostdin"] + options + ["-i", path, "-map", "0", "-f", "framemd5", "-y", list]
        )
        return try String(contentsOfFile: list, encoding: .utf8)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// FFprobe's description of the track; unknown fields are left out.
    private static func probe(
        _ path: String,
        _ fields: String =
            "codec_name,profile,codec_tag_string,pix_fmt,sample_rate,channels,channel_layout,bits_per_raw_sample"
    ) async throws -> String {
        try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=\(fields):stream_side_data", "-of", "compact=p=0", path]
        )
        .split(whereSeparator: \.isNewline).joined(separator: "|")
        .split(separator: "|").filter { !$0.hasSuffix("=N/A") && !$0.hasSuffix("=unknown") }.joined(separator: "|")
    }
}
