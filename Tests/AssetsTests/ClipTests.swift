import Files
import Foundation
import MediaCore
import NIOCore
import Playlists
import Rekeying
import TestSupport
import Testing

@testable import Assets

@Suite struct ClipTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Makes a clip and reads it.
    ///
    /// - Parameters:
    ///   - media: Recorded media.
    ///   - pieces: Seconds from the start of slot 0.
    /// - Returns: The clip, read from its file.
    /// - Throws: The errors of ``ClipMaker/make(_:pieces:at:)``, and `MalformedBoxError` if the file is no movie.
    private func clip(_ media: MadeMedia, _ pieces: Range<Double>...) throws -> MovieReader {
        let path = folder.file("clip.mp4")
        let maker = ClipMaker(media, opener: media.opener)
        let times = pieces.map { MadeMedia.time($0.lowerBound)..<MadeMedia.time($0.upperBound) }
        let summary = try maker.make([media.video, media.audio], pieces: times, at: path)
        let bytes = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: path)))
        #expect(summary.byteCount == bytes.readableBytes)
        return try MovieReader(bytes)
    }

    /// The numbers of the pictures that a clip shows, in order.
    private func pictures(_ movie: MovieReader) -> [Int] {
        movie.presented(0).map { Int($0.payload[0]) << 8 | Int($0.payload[1]) }
    }

    /// The number of a frame of audio.
    private func frame(_ payload: [UInt8]) -> Int { Int(payload[1]) << 8 | Int(payload[2]) }

    private func isClose(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.000_1 }

    @Test(arguments: [MadeMedia.Protection.none, .cbcs, .cenc, .aes128])
    func aClipShowsEveryPictureOfItsTimeInTheClear(protection: MadeMedia.Protection) throws {
        let movie = try clip(try MadeMedia(0..<6, protection: protection), 3.24..<8.6)
        #expect(movie.topLevel == ["ftyp", "moov", "mdat"])
        #expect(movie.tracks.map(\.entryTypes) == [["avc1"], ["mp4a"]])
        #expect(pictures(movie) == Array(81..<215))
        for (number, shown) in zip(81..., movie.presented(0)) {
            #expect(shown.payload.starts(with: MadeMedia.picture(number)))
            #expect(isClose(shown.start, Double(number) * 0.04 - 3.24))
        }
        #expect(movie.duration == MadeMedia.ticks(8.6 - 3.24))
        // Decoding begins at the key frame before, and nowhere earlier.
        #expect(movie.tracks[0].samples.first?.payload.starts(with: MadeMedia.picture(75)) == true)
        #expect(movie.tracks[0].samples.filter(\.isSync).count == 6)
    }

    @Test func audioIsHeardWithItsPictures() throws {
        let movie = try clip(try MadeMedia(0..<6), 3.24..<8.6)
        let audio = movie.presented(1)
        // Frames of 1,024 samples: 151.875 begin before 3.24 s, and 403.125 before 8.6 s.
        #expect(audio.map { frame($0.payload) } == Array(151...403))
        for shown in audio.dropFirst() {
            #expect(isClose(shown.start, Double(frame(shown.payload) * 1024) / 48_000 - 3.24))
        }
        // The decoder gets 80 ms before the first frame that is heard: 148.125 frames begin before 3.16 s.
        #expect(movie.tracks[1].samples.first.map { frame($0.payload) } == 148)
    }

    @Test func edgesBetweenPicturesGoToTheNearest() throws {
        let movie = try clip(try MadeMedia(0..<4), 2.011..<3.991)
        #expect(pictures(movie) == Array(50..<100))
        #expect(movie.duration == MadeMedia.ticks(2))
    }

    @Test func aClipOfTheLastPictureOfASegmentIsOnePicture() throws {
        #expect(pictures(try clip(try MadeMedia(0..<4), 3.96..<4)) == [99])
    }

    @Test func piecesFollowEachOther() throws {
        let movie = try clip(try MadeMedia(0..<8), 2.2..<3.4, 9.12..<10.4, 10.6..<11)
        #expect(pictures(movie) == Array(55..<85) + Array(228..<260) + Array(265..<275))
        for (index, shown) in movie.presented(0).enumerated() { #expect(isClose(shown.start, Double(index) * 0.04)) }
        // Pieces that share a group of pictures have it once.
        #expect(Set(movie.tracks[0].samples.map(\.payload)).count == movie.tracks[0].samples.count)
        // 427.5 frames begin before 9.12 s.
        let afterwards = movie.presented(1).first { $0.start > 1.2 }
        #expect(afterwards.map { frame($0.payload) } == 428)
    }

    @Test func aMissingSlotKeepsItsTime() throws {
        let movie = try clip(try MadeMedia(0..<6, videoGaps: [2]), 3..<7)
        #expect(pictures(movie) == Array(75..<100) + Array(150..<175))
        let after = try #require(movie.presented(0).first { $0.payload.starts(with: MadeMedia.picture(150)) })
        #expect(isClose(after.start, 3))
        #expect(movie.tracks[0].samples.map(\.duration).max() == MadeMedia.ticks(2.04))
    }

    @Test func aGapAtTheStartIsAnEmptyEdit() throws {
        let movie = try clip(try MadeMedia(0..<4, videoGaps: [0]), 1..<4)
        #expect(movie.tracks[0].edits.first?.mediaTime == -1)
        #expect(movie.tracks[0].edits.first?.duration == MadeMedia.ticks(1))
        #expect(isClose(movie.presented(0).first?.start ?? 0, 1))
    }

    @Test(arguments: [Set(0...3), Set(1...5)]) func aClipOfATimeWithoutVideoHasItsAudio(gaps: Set<Int>) throws {
        // The video around the clip is no part of it: its segment is the last before, or the first behind.
        let movie = try clip(try MadeMedia(0..<6, videoGaps: gaps), 4.2..<7.6)
        #expect(movie.tracks.map(\.entryTypes) == [["mp4a"]])
        // 196.875 frames of 1,024 samples begin before 4.2 s.
        #expect(movie.presented(0).first.map { frame($0.payload) } == 196)
    }

    @Test func whatIsNotRecordedIsSaidInWords() throws {
        let media = try MadeMedia(0..<2)
        #expect(throws: ClipError.nothingRecorded) { try clip(media, 100..<101) }
        #expect(throws: ClipError.tooLong(ClipPlan.longest)) { try clip(media, 0..<(7 * 3600)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aClipWithoutItsKeyIsRefused() throws {
        let media = try MadeMedia(0..<2, protection: .cbcs)
        let maker = ClipMaker(media, opener: SegmentOpener(known: [:]))
        let pieces = [MadeMedia.time(0)..<MadeMedia.time(1)]
        #expect(throws: RekeyingError.self) {
            try maker.make([media.video], pieces: pieces, at: folder.file("clip.mp4"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func transportStreamsAreRefused() throws {
        let media = try MadeMedia(0..<2)
        let segments = media.video.segments.map { segment in
            var segment = segment
            segment.line.uri = segment.line.uri.replacing(".m4s", with: ".ts")
            return segment
        }
        let pieces = [MadeMedia.time(0)..<MadeMedia.time(1)]
        #expect(throws: ClipError.otherFormat(rendition: "video")) {
            let maker = ClipMaker(media, opener: media.opener)
            _ = try maker.make([ClipRendition(id: "video", segments: segments)], pieces: pieces, at: folder.file("a"))
        }
    }
}
