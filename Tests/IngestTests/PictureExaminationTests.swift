import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Frozen pictures, and others, as real encoders send them.
@Suite(.timeLimit(.minutes(5)))
struct PictureExaminationTests {
    /// At 320x180 and 25 pictures a second.
    struct Encoder: CustomStringConvertible {
        var description: String
        var options: String

        static let all = [
            Encoder(
                description: "ABR without delay",
                options: "libx264 -preset ultrafast -tune zerolatency -b:v 100k -g 25"
            ),
            Encoder(description: "ABR", options: "libx264 -preset veryfast -b:v 200k -g 50"),
            Encoder(
                description: "VBV without delay",
                options: "libx264 -preset ultrafast -tune zerolatency -b:v 100k -maxrate 100k -bufsize 100k -g 50 "
                    + "-threads 6"
            ),
            Encoder(
                description: "CBR with filler data",
                options: "libx264 -preset veryfast -b:v 400k -minrate 400k -maxrate 400k -bufsize 400k -g 100 "
                    + "-x264-params nal-hrd=cbr:filler=1"
            ),
            Encoder(description: "CRF, GOP of 1 s", options: "libx264 -preset medium -crf 23 -g 25"),
            Encoder(description: "CRF, GOP of 4 s", options: "libx264 -preset fast -crf 28 -g 100 -bf 3"),
            Encoder(
                description: "ABR with B-frames, without mbtree",
                options: "libx264 -b:v 200k -bf 3 -g 75 -mbtree 0"
            ),
            Encoder(description: "constant QP", options: "libx264 -preset ultrafast -qp 24 -g 12"),
            Encoder(
                description: "x265",
                options: "libx265 -preset ultrafast -b:v 200k -x265-params log-level=error:keyint=50"
            ),
            Encoder(
                description: "10 bits",
                options: "libx265 -preset ultrafast -crf 26 -pix_fmt yuv420p10le "
                    + "-x265-params log-level=error:keyint=50"
            ),
        ]
        /// Those that leave film grain in the picture.
        static let usual = [all[1], all[3], all[4], all[8]]
    }

    private static func clip(_ name: String, _ source: String, _ encoder: Encoder, seconds: Int) -> FeedRecipe {
        let place = Encoder.all.firstIndex { $0.description == encoder.description } ?? 0
        let input = ["-f", "lavfi", "-i", source, "-t", "\(seconds)"]
        let format = encoder.options.contains("-pix_fmt") ? [] : ["-pix_fmt", "yuv420p"]
        let codec = ["-c:v"] + encoder.options.split(separator: " ").map(String.init)
        return FeedRecipe("examined-\(name)-\(place)", .encoded(input + format + codec))
    }

    /// A camera's picture, noise and all, that stands still from its `start`-th on.
    private static func still(_ size: String = "320x180", from start: Int = 0) -> String {
        "testsrc2=s=\(size):r=25,noise=alls=8:allf=t,loop=loop=-1:size=1:start=\(start),setpts=N/25/TB"
    }

    @Test(arguments: Encoder.all, [2, 4] as [Int64])
    func aSourceThatFreezesIsFoundWithinASecond(encoder: Encoder, limit: Int64) async throws {
        let recipe = Self.clip("frozen", Self.still(from: 200), encoder, seconds: 16)
        let found = try await ExaminedClip(recipe, limit: MediaTime(seconds: limit)).firstFrozen
        let delay = try #require(found) - 8
        // The last picture that is not frozen is shown 40 ms before.
        #expect((Double(limit) - 0.05...Double(limit) + 1).contains(delay), "\(delay) s")
    }

    /// A picture beyond 8K, level 6.2, is not worth the memory.
    @Test(arguments: [("8192x4320", true), ("8704x4352", false)])
    func whatIsLargerThan8KIsNotDecoded(size: String, isExamined: Bool) async throws {
        let input = ["-f", "lavfi", "-i", "color=s=\(size):r=2", "-t", "2", "-pix_fmt", "yuv420p"]
        let codec = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-threads", "1"]
        let recipe = FeedRecipe("examined-\(size)", .encoded(input + codec))
        let record = await read(try await FeedStore.shared.file(recipe))
        let examiner = try VideoExaminer(try #require(record.openings.last?.first))
        let findings = zip(record.packets, record.payloads).flatMap { packet, payload in
            examiner.examine(packet, payload: payload.span.bytes)
        }
        #expect(record.packets.count >= 3)
        #expect(findings.isEmpty != isExamined)
    }

    static let moving = [
        // A digit of a clock, once a second.
        "clock": still() + ",drawbox=x=290:y=160:w=5:h=9:color=white:t=fill:enable='mod(floor(t),2)'",
        "mouth": still() + "[face];testsrc2=s=16x8:r=25[mouth];[face][mouth]overlay=x=150:y='100+3*sin(n/3)'",
        "zoom": still("640x360")
            + ",zoompan=z='1+0.0004*on':d=1:x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':s=320x180:fps=25",
        "pan": still("640x180") + ",crop=320:180:x='n*0.08':y=0:exact=1",
        "grain": still() + ",noise=alls=10:allf=t",
        // Between programmes.
        "black": "testsrc2=s=320x180:r=25,drawbox=color=black:t=fill:enable='lt(mod(t,10),1.5)'",
    ]

    private static let movements = moving.keys.sorted().flatMap { name in Encoder.usual.map { (name, $0) } }

    @Test(arguments: movements.oneIn(3))
    func whatMovesHoweverLittleIsNotFrozen(name: String, encoder: Encoder) async throws {
        let recipe = Self.clip(name, try #require(Self.moving[name]), encoder, seconds: 30)
        // Grain takes a while to be told from an encoder that begins with a coarse picture.
        let clip = try await ExaminedClip(recipe, limit: MediaTime(seconds: name == "grain" ? 4 : 2))
        #expect(clip.firstFrozen == nil)
    }
}
