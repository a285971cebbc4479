import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Keys that change all the time, whatever else happens to a channel.
@Suite struct RotationTests {
    private static let settings = ["--segment-duration": "1", "--key-rotation": "2", "--window": "60"]

    /// The readers know no more than playlists, initialization sections, `keys.json` and what it points to.
    @Test(arguments: RotationCondition.allCases.oneIn(3)) func tenPeriodsAreDecrypted(
        condition: RotationCondition
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for format in RotationFormat.allCases {
                group.addTask {
                    // One that fails leaves the others alone.
                    do {
                        try await Self.expectTenPeriods(condition, format)
                    } catch {
                        Issue.record(error, "\(format)")
                    }
                }
            }
        }
    }

    private static func expectTenPeriods(_ condition: RotationCondition, _ format: RotationFormat) async throws {
        let fixture = try PairFixture(feeds: [condition == .newTrack ? .oneLanguage : format.feed])
        let flags = [settings, format.flags, condition.flags(fixture)].reduce(into: [:]) { $0.merge($1) { $1 } }
        let first = try await fixture.packager(0, flags)
        let follower = KeyFollower(first)
        _ = try await first.mediaPlaylist("video-180p", "three periods") { $0.countOfKeys >= 3 }
        let packager = try await condition.befall(first, fixture, flags)
        follower.follow(packager)
        let video = try await packager.mediaPlaylist("video-180p", within: 60, "ten periods") { $0.countOfKeys > 10 }
        #expect(condition.isSeen(in: video), "\(video.render())")
        let multivariant = try MultivariantPlaylist(parsing: try await packager.text("index.m3u8"))
        // FFmpeg does not tell where packed audio starts over.
        let tracks = RotatedTrack.all(of: multivariant).filter { format != .muxed || !$0.isAlone || $0.kind == .video }
        if condition == .newTrack { #expect(multivariant.renditions.contains { $0.uri == "audio-de.m3u8" }) }
        let directory = try TemporaryDirectory()
        for track in tracks {
            let source = try await track.frames(of: Repository.smallFeed)
            let playlist = try await packager.mediaPlaylist(String(track.uri.dropLast(".m3u8".count)))
            for (index, run) in playlist.runs(base: "\(packager.origin)/live").enumerated() {
                let isSlate = condition == .otherPictures && index == 1
                try await track.expect(
                    run,
                    of: isSlate ? try await track.slate : source,
                    seams: condition.seams,
                    isBroken: condition.breaksTheFeed,
                    in: directory
                )
            }
            try await expectKeys(of: playlist, in: follower.keys, packager)
        }
        await packager.end()
        await first.end()
    }

    /// A client that follows `keys.json` has keys of most periods, and none but those that the playlist points to.
    ///
    /// On a machine that is busy one may miss a period of two seconds.
    private static func expectKeys(
        of playlist: MediaPlaylist,
        in known: [String: String],
        _ packager: PackagerProcess
    ) async throws {
        let uris = Set(playlist.segments.flatMap(\.keys).map(\.uri))
        var count = 0
        for uri in uris {
            guard let key = uri.split(separator: "/").last.flatMap({ known[String($0)] }) else { continue }
            #expect(try await HTTP.body(packager.url(uri)).hexadecimal == key)
            count += 1
        }
        #expect(count > uris.count / 2, "\(count) of \(uris.count)")
    }
}
