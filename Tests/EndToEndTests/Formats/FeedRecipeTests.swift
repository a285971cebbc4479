import Foundation
import TestSupport
import Testing

/// The feeds are what they are called.
@Suite struct FeedRecipeTests {
    private func probe(_ feed: FeedRecipe, _ entries: String, _ options: [String] = []) async throws -> String {
        let arguments = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0"] + options
        return try await Program.run("ffprobe", arguments + [try await FeedStore.shared.file(feed)])
    }

    /// NAL units of the video of a transport stream.
    private func nalUnits(_ feed: FeedRecipe) async throws -> [[UInt8]] {
        var stream: [UInt8] = []
        var editor = TransportStreamEditor(
            Array(try Data(contentsOf: URL(filePath: try await FeedStore.shared.file(feed))))
        )
        _ = editor.edit { _, accessUnit in
            stream += accessUnit
            return accessUnit
        }
        return ByteStream.nalUnits(of: stream)
    }

    @Test(arguments: [
        (FeedRecipe.avc, "h264"), (.hevc, "hevc"), (.hevcMP4, "hevc"), (.av1, "av1"), (.av1Matroska, "av1"),
        (.ac3, "ac3"),
        (.ac351, "ac3"), (.eac3, "eac3"), (.eac351, "eac3"), (.mp2, "mp2"), (.mp3, "mp3"), (.opus, "opus"),
        (.opusMatroska, "opus"), (.opus51, "opus"), (.flac, "flac"), (.flacMatroska, "flac"), (.alac, "alac"),
    ])
    func hasItsCodec(feed: FeedRecipe, codec: String) async throws {
        #expect(try await probe(feed, "stream=codec_name").contains(codec))
    }

    @Test(arguments: [FeedRecipe.interlaced, .interlacedWithoutDelimiters, .hevcInterlaced])
    func picturesAreOfFields(feed: FeedRecipe) async throws {
        let frames = try await probe(feed, "frame=interlaced_frame", ["-select_streams", "v"]).split(separator: "\n")
        #expect(frames.count > 100 && frames.allSatisfy { $0.hasPrefix("1") }, "\(frames.prefix(3))")
    }

    @Test(arguments: [(FeedRecipe.hdr10, "smpte2084"), (.hybridLogGamma, "arib-std-b67")])
    func rangeIsHigh(feed: FeedRecipe, transfer: String) async throws {
        let seen = try await probe(feed, "stream=color_transfer,pix_fmt")
        #expect(seen.contains(transfer) && seen.contains("yuv420p10le"), "\(seen)")
    }

    @Test func delimitersAreMissing() async throws {
        #expect(try await nalUnits(.avc).contains { $0[0] & 0x1F == 9 })
        #expect(try await !nalUnits(.withoutDelimiters).contains { $0[0] & 0x1F == 9 })
    }

    @Test func openGOPHasTwoKindsOfKeyFrame() async throws {
        let types = try await nalUnits(.openGOP).map { $0[0] & 0x1F }
        #expect(types.count { $0 == 5 } == 3)
        // A recovery point message is of type 6.
        #expect(try await nalUnits(.openGOP).count { $0[0] & 0x1F == 6 && $0[1] == 6 } >= 3)
    }

    @Test func everyEditLeavesThePicturesAsTheyAre() async throws {
        let source = try await Frames.decoded(["-i", try await FeedStore.shared.file(.avc)])
        for feed in [
            FeedRecipe.withoutDelimiters, .mixedStartCodes, .zeroPadding, .unusedParameterSets,
            .repeatedParameterSets,
        ] {
            let edited = try await Frames.decoded(["-i", try await FeedStore.shared.file(feed)])
            #expect(edited.difference(from: source) == nil, "\(feed)")
        }
    }

    @Test func captionsAreRead() async throws {
        let file = try await FeedStore.shared.file(.captions)
        let graph = "movie=\(file)[out0+subcc]"
        let text = try await Program.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-f", "lavfi", "-i", graph, "-map", "0:s", "-f", "srt", "-"]
        )
        #expect(text.contains("CAPTIONS"), "\(text)")
    }

    @Test func programsAreTwo() async throws {
        #expect(try await probe(.programs, "program=program_num").split(separator: "\n").count >= 2)
    }
}
