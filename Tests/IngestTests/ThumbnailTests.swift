import Codecs
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Ingest

/// Pictures whose left half has one colour, and the right half another.
@Suite struct ThumbnailTests {
    struct Feed: CustomStringConvertible {
        var description: String
        var size = "1280x720"
        var container = "ts"
        var filter: String
        var encoding: String
        /// The size of the thumbnail.
        var expected = (width: 480, height: 270)

        static let all = [
            Feed(
                description: "H.264 of HDTV",
                filter: "scale=out_color_matrix=bt709,format=yuv420p",
                encoding: "libx264 -preset ultrafast -colorspace bt709"
            ),
            Feed(
                description: "H.264 with wide samples, which says nothing of its colours",
                size: "720x576",
                filter: "scale=out_color_matrix=bt601,format=yuv420p,setsar=64/45",
                encoding: "libx264 -preset ultrafast"
            ),
            Feed(
                description: "H.264 of ten bits, 4:2:2 and interlaced",
                size: "1920x1080",
                filter: "scale=out_color_matrix=bt709,format=yuv422p10",
                encoding: "libx264 -preset ultrafast -flags +ilme+ildct -colorspace bt709"
            ),
            Feed(
                description: "H.264 of full range, upright",
                size: "180x320",
                filter: "scale=out_color_matrix=bt601:out_range=full,format=yuvj420p",
                encoding: "libx264 -preset ultrafast -color_range pc -colorspace smpte170m",
                expected: (180, 320)
            ),
            Feed(
                description: "HEVC of ten bits",
                filter: "scale=out_color_matrix=bt709,format=yuv420p10",
                encoding: "libx265 -preset ultrafast -x265-params log-level=error -colorspace bt709"
            ),
            Feed(
                description: "AV1",
                size: "640x360",
                container: "mp4",
                filter: "scale=out_color_matrix=bt709,format=yuv420p",
                encoding: "libaom-av1 -cpu-used 8 -colorspace bt709"
            ),
        ]
    }

    private static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [(0xC0, 0x30, 0x20), (0x20, 0x50, 0xC0)]

    private static func keyFrame(_ path: String) async throws -> KeyFrame {
        let record = await read(path)
        let track = try #require(record.openings.last?.first { $0.kind == .video })
        var reader = try #require(try TrackReader(track: track, wantsSubsamples: false))
        for (packet, payload) in zip(record.packets, record.payloads) where packet.trackIndex == track.index {
            let units = try reader.read(packet, payload.span.bytes)
            if let unit = units.first(where: \.isSync) {
                return KeyFrame(configuration: unit.configuration, payload: unit.payload)
            }
        }
        throw CancellationError()
    }

    /// Encoders of FFmpeg, and its decoder of JPEG, say whether colours and shape are right.
    @Test(arguments: Feed.all)
    func itLooksLikeTheFeed(feed: Feed) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/feed.\(feed.container)"
            let parts = feed.size.split(separator: "x")
            let half = "\(Int(parts[0])! / 2)x\(parts[1])"
            let inputs = ["0xC03020", "0x2050C0"].flatMap {
                ["-f", "lavfi", "-i", "color=\($0):s=\(half):r=25,format=rgb24"]
            }
            let filter = ["-filter_complex", "[0][1]hstack,\(feed.filter)", "-frames:v", "5", "-c:v"]
            let encoding = feed.encoding.split(separator: " ").map(String.init)
            _ = try await Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y"] + inputs + filter + encoding + [path]
            )
            let thumbnail = try #require(ThumbnailMaker.make(try await Self.keyFrame(path)))
            #expect((thumbnail.width, thumbnail.height) == feed.expected)

            let (picture, raw) = ("\(folder)/picture.jpg", "\(folder)/picture.rgb")
            try Data(thumbnail.bytes.readableBytesView).write(to: URL(filePath: picture))
            try await ffmpeg("-i", picture, "-pix_fmt", "rgb24", "-f", "rawvideo", raw)
            let pixels = try Data(contentsOf: URL(filePath: raw))
            #expect(pixels.count == 3 * thumbnail.width * thumbnail.height)
            for (place, color) in zip([1, 3], Self.colors) {
                for row in [1, 2, 3] {
                    let index = 3 * (row * thumbnail.height / 4 * thumbnail.width + place * thumbnail.width / 4)
                    let found = (Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
                    let distance = max(
                        abs(found.0 - Int(color.red)),
                        abs(found.1 - Int(color.green)),
                        abs(found.2 - Int(color.blue))
                    )
                    #expect(distance <= 8, "\(found) instead of \(color)")
                }
            }
        }
    }

    /// Reference white of HDR10 (203 cd/m²) would be a middle gray on a screen that takes it for gamma.
    @Test func highDynamicRangeIsNotDim() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/feed.ts"
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "color=gray:s=640x360:r=25,format=yuv420p10,geq=lum=573:cb=512:cr=512",
                "-frames:v",
                "5",
                "-c:v",
                "libx265",
                "-preset",
                "ultrafast",
                "-x265-params",
                "log-level=error",
                "-color_trc",
                "smpte2084",
                "-color_primaries",
                "bt2020",
                "-colorspace",
                "bt2020nc",
                path
            )
            let thumbnail = try #require(ThumbnailMaker.make(try await Self.keyFrame(path)))
            let (picture, raw) = ("\(folder)/picture.jpg", "\(folder)/picture.gray")
            try Data(thumbnail.bytes.readableBytesView).write(to: URL(filePath: picture))
            try await ffmpeg("-i", picture, "-pix_fmt", "gray", "-f", "rawvideo", raw)
            let pixels = try Data(contentsOf: URL(filePath: raw))
            #expect((215...240).contains(pixels[pixels.count / 2]), "\(pixels[pixels.count / 2])")
        }
    }

    @Test func garbageHasNoThumbnail() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/feed.ts"
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=320x180:r=25",
                "-frames:v",
                "5",
                "-c:v",
                "libx264",
                "-preset",
                "ultrafast",
                path
            )
            let frame = try await Self.keyFrame(path)
            let garbage = ByteBuffer(repeating: 0xA5, count: frame.payload.readableBytes)
            #expect(ThumbnailMaker.make(KeyFrame(configuration: frame.configuration, payload: garbage)) == nil)
            #expect(ThumbnailMaker.make(KeyFrame(configuration: frame.configuration, payload: ByteBuffer())) == nil)
        }
    }

    /// All who ask for a picture that is there, or is being made, get that.
    @Test func eachKeyFrameIsDecodedOnce() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/feed.ts"
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=320x180:r=25",
                "-frames:v",
                "5",
                "-c:v",
                "libx264",
                "-preset",
                "ultrafast",
                path
            )
            let frames = NewestKeyFrames()
            let maker = ThumbnailMaker()
            let source = ThumbnailSource(maker, of: frames)
            #expect(await source.thumbnail() == nil)
            #expect(maker.madeCount == 0)
            frames.offer(try await Self.keyFrame(path), track: 0)
            let thumbnails = await withTaskGroup(of: Thumbnail?.self) { group in
                for _ in 0..<20 { group.addTask { await source.thumbnail() } }
                return await group.reduce(into: Set<Thumbnail?>()) { $0.insert($1) }
            }
            #expect(thumbnails.count == 1 && thumbnails.first != .some(nil))
            #expect(maker.madeCount == 1)
            frames.offer(try await Self.keyFrame(path), track: 0)
            _ = await source.thumbnail()
            #expect(maker.madeCount == 2)
            frames.replace(with: [])
            #expect(await source.thumbnail() == nil)
        }
    }
}
