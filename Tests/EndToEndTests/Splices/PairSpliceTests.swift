import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed tell of one programme's breaks.
@Suite struct PairSpliceTests {
    private static func settings(_ port: Int) -> [String] {
        [
            "--input", "udp://127.0.0.1:\(port)", "--clock", "pts", "--segment-duration", "2", "--window", "40",
            "--scte35-cue-out", "enhanced", "--scte35-emsg",
        ]
    }

    /// The break is announced twelve seconds ahead; the second packager comes when that has been said, and does not hear it
    /// again.
    @Test func whoComesBetweenACueAndItsSpliceTellsTheSame() async throws {
        let directory = try TemporaryDirectory()
        let feed = directory.file("feed.ts")
        try await Program.run(
            "/usr/bin/python3",
            [Repository.script("EndToEndTests/Splices/splices.py"), feed, "44", "7:21:27:12", "8:33:37:12"]
        )
        let ports = (0..<2).map { _ in Ports.free(datagram: true) }
        let origin = Ports.free()
        let first = try await PackagerProcess(Self.settings(ports[0]) + ["--peer", "http://127.0.0.1:\(origin)"])
        let sender = try Program(
            Repository.python,
            [Repository.script("TransportStreams/send_utc.py"), feed] + ports.map { "\($0)" }
        )
        defer { sender.kill() }
        let before = try await first.mediaPlaylist("video-180p", "five segments") { $0.segments.count >= 5 }
        let start = try #require(before.segments.first?.programDateTime)
        #expect(before.allDateRanges.isEmpty)
        let second = try await PackagerProcess(Self.settings(ports[1]) + ["--peer", first.origin], port: origin)
        let whole = try await second.mediaPlaylist("video-180p", "both breaks are over") { playlist in
            playlist.segments.compactMap(\.cue).count { $0.endsBreak } == 2
        }
        let ranges = whole.allDateRanges
        #expect(ranges.problems.isEmpty)
        #expect(
            ranges.compactMap(\.start).map { ($0 - (ranges[0].start ?? start)).milliseconds } == [0, 0, 12_000, 12_000]
        )
        #expect(whole.segments.contains { $0.programDateTime == ranges[0].start })
        let (common, differing) = try await first.comparison(with: second)
        #expect(
            common.count >= 12 && differing.isEmpty,
            "\(differing.sorted())\n\(first.program.errors)\(second.program.errors)"
        )
        let verdict = try await first.verdict(on: second, seconds: 2)
        #expect(verdict.code == 0, "\(verdict.text)")
        await first.end()
        await second.end()
    }
    /// Advertisements that lie elsewhere: what answers for a break does not depend on who is asked.
    private static func spots(in directory: TemporaryDirectory) throws -> String {
        try FileManager.default.createDirectory(atPath: directory.file("ads"), withIntermediateDirectories: true)
        for (name, seconds) in [("four", 4), ("seven", 7), ("twelve", 12)] {
            let spot = #"{ "URI": "https://cdn.example.com/\#(name).m3u8", "DURATION": \#(seconds) }"#
            _ = try directory.write(spot, to: "ads/\(name).json")
        }
        return "files:" + directory.file("ads")
    }

    private static func interstitials(_ playlist: MediaPlaylist) -> [DateRange] {
        playlist.allDateRanges.filter { $0.className == DateRange.interstitialClass }
    }

    /// One of a pair dies within a break, and comes back beside its peer, or with nothing but its journal.
    @Test(arguments: [true, false])
    func aMemberThatDiesInABreakEndsItsInterstitialAsItsPeerDoes(hasPeer: Bool) async throws {
        let directory = try TemporaryDirectory()
        let feed = directory.file("feed.ts")
        try await Program.run(
            "/usr/bin/python3",
            [Repository.script("EndToEndTests/Splices/splices.py"), feed, "46", "7:20:31:8"]
        )
        let feeds = (0..<2).map { _ in Ports.free(datagram: true) }
        let origins = (0..<2).map { _ in Ports.free() }
        let ads = try Self.spots(in: directory)
        func member(_ number: Int, knowsPeer: Bool = true) async throws -> PackagerProcess {
            let peer = knowsPeer ? ["--peer", "http://127.0.0.1:\(origins[1 - number])"] : []
            let own = ["--ads", ads, "--state", directory.file("state-\(number)")]
            return try await PackagerProcess(Self.settings(feeds[number]) + own + peer, port: origins[number])
        }
        let first = try await member(0)
        let sender = try Program(
            Repository.python,
            [Repository.script("TransportStreams/send_utc.py"), feed] + feeds.map { "\($0)" }
        )
        defer { sender.kill() }
        _ = try await first.mediaPlaylist("video-180p", "three segments") { $0.segments.count >= 3 }
        let second = try await member(1)
        _ = try await first.mediaPlaylist("video-180p", "the break has begun") { playlist in
            guard let start = Self.interstitials(playlist).first?.start else { return false }
            return playlist.segments.last.map { start <= $0.programDateTime } ?? false
        }
        first.program.kill()
        _ = await first.program.exitCode()
        let again = try await member(0, knowsPeer: hasPeer)
        var told: [[DateRange]] = []
        var lists: [String] = []
        for packager in [again, second] {
            let playlist = try await packager.mediaPlaylist("video-180p", "the break is over") {
                Self.interstitials($0).merged.first?.duration != nil
            }
            #expect(playlist.allDateRanges.problems.isEmpty)
            told.append(playlist.allDateRanges)
            let id = try #require(Self.interstitials(playlist).first?.id)
            lists.append(try await packager.text("ads/\(id).json"))
        }
        #expect(told[0].map(\.text) == told[1].map(\.text))
        // Eleven seconds of four and seven.
        #expect(lists[0] == lists[1] && lists[0].contains("four") && lists[0].contains("seven"), "\(lists)")
        await again.end()
        await second.end()
    }
}
