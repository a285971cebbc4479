import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// The stream of viewers while no input has media.
@Suite struct OnLossTests {
    private static let slate = Repository.slate
    /// Another size than the feed's.
    private static let smallSlate = Repository.root.appending(path: "Samples/feed-180p.ts").path

    @Test(
        arguments: [
            ("slate", "none"), ("slate", "sample-aes"), ("hold", "sample-aes"), ("hold", "none"), ("gap", "none"),
            ("gap", "sample-aes"),
        ].oneIn(2)
    )
    func aLossLeavesOneStream(onLoss: String, encryption: String) async throws {
        let feed = try await LostFeed(["--on-loss", onLoss, "--slate", Self.slate, "--encryption", encryption])
        for rendition in LostFeed.renditions {
            let playlist = try #require(feed.playlists[rendition])
            let gaps = playlist.numbered.filter(\.1.isGap).map(\.0)
            switch (onLoss, rendition) {
            case ("gap", "video-360p"): #expect(gaps == Array(feed.slots))
            case ("gap", _):
                // Audio may be cut off a slot earlier or later than the picture.
                let ends = (feed.slots.lowerBound.value, feed.slots.upperBound.value - 1)
                #expect(gaps.first.map { abs($0.value - ends.0) <= 1 } == true, "\(gaps)")
                #expect(gaps.last.map { abs($0.value - ends.1) <= 1 } == true, "\(gaps)")
            default: #expect(gaps == [])
            }
            #expect(playlist.segments.allSatisfy { !$0.startsDiscontinuity })
            #expect(playlist.discontinuitySequence == 0)
            // The parameter sets are the feed's, so decoders continue.
            #expect(Set(playlist.segments.map(\.map)).count == 1)
            #expect(Set(playlist.segments.map(\.keys)).count == 1)
            expectOneTimeline(playlist)
            _ = try await feed.decode(rendition) { _ in true }
        }
        try await expectSync(feed)
        try await expectTheFeedAround(feed)
        if onLoss == "slate" { try await expectTheSlate(feed) }
        if onLoss == "hold" { try await expectAHeldPicture(feed) }
        await feed.end()
    }

    @Test func aSlateWithAnotherConfigurationStandsBetweenDiscontinuities() async throws {
        let feed = try await LostFeed(["--on-loss", "slate", "--slate", Self.smallSlate])
        for rendition in LostFeed.renditions {
            let playlist = try #require(feed.playlists[rendition])
            let discontinuities = playlist.numbered.filter(\.1.startsDiscontinuity).map(\.0)
            #expect(discontinuities == [feed.slots.lowerBound, feed.slots.upperBound], "\(rendition)")
            #expect(playlist.segments.allSatisfy { !$0.isGap })
            expectOneTimeline(playlist)
            // What is heard is decoded as before.
            let maps = playlist.periods(base: "").map { $0.segments[0].map }
            #expect(maps.count == (rendition == "video-360p" ? 3 : 1))
            #expect(maps.first == maps.last)
            _ = try await feed.decode(rendition) { _ in true }
        }
        let shown = try await feed.decode("video-360p") { feed.slots.contains($0) }
        #expect(try await Set(shown).isSubset(of: Frames.checksums(["-i", Self.smallSlate])))
        try await expectSync(feed)
        try await expectTheFeedAround(feed)
        await feed.end()
    }

    @Test(arguments: ["slate", "hold"])
    func aBrowserPlaysOn(onLoss: String) async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            [
                "--segment-duration", "1", "--window", "30", "--on-loss", onLoss, "--slate", Self.slate,
                "--encryption", "sample-aes", "--input", "udp://127.0.0.1:\(port)",
            ]
        )
        let first = try FeedSender.udp(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        // Long enough for the loss to come, and to go by.
        let page = try PlayingPage(of: packager, ["--minimum-advance", "18", "--maximum-stall", "0"])
        try await page.begun()
        first.program.kill()
        let end = try await packager.mediaPlaylist("video-360p").end
        _ = try await packager.mediaPlaylist("video-360p", "five more segments") { $0.end >= end.advanced(by: 5) }
        let second = try FeedSender.udp(port: port)
        let playback = try await page.seen()
        #expect(playback.gapsJumped == 0, "\(packager.program.errors)")
        #expect(playback.warnings == [], "\(packager.program.errors)")
        second.program.kill()
        await packager.end()
    }
}

extension OnLossTests {
    /// Time of day continues from segment to segment, and none outlasts the target duration.
    private func expectOneTimeline(_ playlist: MediaPlaylist) {
        for (segment, next) in zip(playlist.segments, playlist.segments.dropFirst()) {
            let expected = segment.programDateTime + segment.duration.time
            // Rounded to milliseconds, and slewed by up to 2000 ppm: by 2 ms in a second.
            #expect(abs(next.programDateTime.milliseconds - expected.milliseconds) <= 3, "\(next.uri)")
        }
        for segment in playlist.segments {
            #expect(segment.duration.time.seconds.rounded() <= Double(playlist.targetDuration), "\(segment.uri)")
        }
    }

    /// Media time is what the playlists say, for picture and audio alike.
    private func expectSync(_ feed: LostFeed) async throws {
        // A frame of audio, and what EXT-X-PROGRAM-DATE-TIME is rounded to.
        let tolerance = 1024.0 / 48_000 + 0.002
        let video = try #require(feed.playlists["video-360p"]).numbered.filter { !$0.1.isGap }
        var before: Double?
        for (number, picture) in video {
            let shown = try await feed.decodeTime(picture)
            // UTC may be slewed against media time by 2000 ppm, and no more; the segments are of one second.
            let offset = shown - picture.programDateTime.seconds
            #expect(abs(offset - (before ?? offset)) < 0.0035, "\(picture.uri)")
            before = offset
            for rendition in ["audio-en", "audio-de"] {
                guard let audio = feed.playlists[rendition]?.segment(number), !audio.isGap else { continue }
                #expect(abs(try await feed.decodeTime(audio) - shown) < tolerance, "\(audio.uri)")
            }
        }
    }

    /// Every slot shows the slate's pictures while there is no feed, one after the other.
    private func expectTheSlate(_ feed: LostFeed) async throws {
        let slate = try await Frames.checksums(["-i", Self.slate])
        for slot in feed.slots {
            let frames = try await feed.decode("video-360p") { $0 == slot }
            let start = try #require(frames.first.flatMap(slate.firstIndex))
            #expect(start % 25 == 0, "slot \(slot) starts with picture \(start)")
            // The first begins where the feed has ended, and the last ends with the key frame with which it is back: either
            // may be half a slot off the edge of the grid.
            let seconds = try #require(feed.playlists["video-360p"]?.segment(slot)).duration.time.seconds
            #expect(frames.count >= Int(seconds * 25) - 1, "\(frames.count) pictures in \(slot), \(seconds) s")
            let isAtEdge = slot == feed.slots.lowerBound || slot.next == feed.slots.upperBound
            #expect(abs(seconds - 1) < (isAtEdge ? 0.55 : 0.05), "\(slot) of \(feed.slots) lasts \(seconds) s")
            #expect(Frames.isRun(frames, of: slate))
        }
    }

    /// Every slot shows the newest key frame while there is no feed, once a second.
    private func expectAHeldPicture(_ feed: LostFeed) async throws {
        let sample = try await Frames.ofSample()
        let before = try await feed.decode("video-360p") { $0 < feed.slots.lowerBound }
        let keyFrames = Set(stride(from: 0, to: sample.count, by: 25).map { sample[$0] })
        let newest = try #require(before.last(where: keyFrames.contains))
        let held = try await feed.decode("video-360p") { feed.slots.contains($0) }
        #expect(held == Array(repeating: newest, count: feed.slots.count))
    }

    /// Before the loss and after it every picture is the feed's, and nothing of the feed that came back is missing.
    private func expectTheFeedAround(_ feed: LostFeed) async throws {
        let sample = try await Frames.ofSample()
        let before = try await feed.decode("video-360p") { $0 < feed.slots.lowerBound }
        // Of the last pictures in decoding order, those to be shown first never came.
        #expect(before.count >= 90 && Frames.isRun(Array(before.dropLast(2)), of: sample), "\(before.count) pictures")
        let after = try await feed.decode("video-360p") { $0 >= feed.slots.upperBound }
        #expect(after.count >= 60 && Frames.isRun(after, of: sample), "\(after.count) pictures")
        // Each encoder begins with the sample's first picture, a key frame.
        #expect(after.first == sample.first)
        #expect(feed.recovery < 2.5, "\(feed.recovery) s\n\(feed.packager.program.errors)")
    }
}
