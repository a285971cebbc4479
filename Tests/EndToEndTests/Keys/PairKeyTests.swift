import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed that have their keys from one key server.
@Suite struct PairKeyTests {
    private struct Channel: Decodable {
        /// UTC of the end of the newest segment.
        var liveEdge: String?
    }

    /// Also where the server is out of order for longer than keys were asked for ahead.
    @Test(arguments: ["hold", "reuse", "gap", "fail"].oneIn(2))
    func whatBothProtectIsTheSame(policy: String) async throws {
        let server = try await KeyServerProcess()
        let pair = try PairFixture(feeds: [.oneLanguage])
        let flags = server.flags.merging([
            "--segment-duration": "1", "--key-rotation": "2", "--window": "30", "--late-key": policy,
        ]) { own, _ in own }
        let first = try await pair.packager(0, flags)
        let second = try await pair.packager(1, flags.merging(["--peer": first.origin]) { own, _ in own })
        _ = try await second.mediaPlaylist("video-180p", "three periods") { $0.countOfKeys >= 3 }
        let broken = Self.slot
        try server.become("broken")
        let note = policy == "reuse" ? "previous key stays in use" : "its segments are gaps"
        for packager in [first, second] {
            _ = try await eventually(within: 30, "the operator is told") {
                try await HTTP.get("\(packager.control)/events").text.contains(note) ? true : nil
            }
        }
        // And both publish without it for a while.
        let later = MediaTime(seconds: Self.slot + 3).iso8601
        for packager in [first, second] {
            _ = try await eventually(within: 40, "slots without keys") {
                let channels = try await HTTP.body("\(packager.control)/channels")
                let edge = try JSONDecoder().decode([Channel].self, from: channels).first?.liveEdge
                return edge.map { $0 > later } == true ? true : nil
            }
        }
        try server.become("fine")
        let back = Self.slot
        let (common, differing) = try await eventually(within: 40, "slots after the return") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.contains(back + 8) ? comparison : nil
        }
        // Each had asked at a moment of its own for what it has when the server breaks, and asks again at one.
        #expect(
            differing.allSatisfy { (broken - 2..<back + 6).contains($0) },
            "\(differing.sorted()), \(broken) to \(back)\n\(first.program.errors)\(second.program.errors)"
        )
        #expect(common.count >= 12)
        let (own, others) = (try await first.lines(), try await second.lines())
        var equal = 0
        for (place, line) in own {
            guard let other = others[place], other.segment.keys == line.segment.keys, line.media != nil,
                other.media != nil
            else { continue }
            #expect(line == other, "\(place)")
            equal += 1
        }
        #expect(equal >= 20)
        await first.end()
        await second.end()
    }

    /// With keys of the master secret, or of a key server.
    @Test(arguments: [false, true])
    func classesOfALadderAreTheSame(hasServer: Bool) async throws {
        let server = hasServer ? try await KeyServerProcess() : nil
        var feeds: [PairFixture.Feed] = []
        for recipe in FeedRecipe.classes { feeds.append(.init(file: try await FeedStore.shared.file(recipe))) }
        let pair = try PairFixture(feeds: feeds)
        let flags = (server?.flags ?? [:]).merging([
            "--segment-duration": "1", "--key-rotation": "2", "--window": "30", "--key-classes": "sd,hd,uhd",
        ]) { own, _ in own }
        let first = try await pair.packager(0, flags)
        let second = try await pair.packager(1, flags.merging(["--peer": first.origin]) { own, _ in own })
        var keys: [Set<String>] = []
        for name in ["video-180p", "video-720p", "video-1440p", "audio-en"] {
            let playlist = try await second.mediaPlaylist(name, within: 30, "three periods") { $0.countOfKeys >= 3 }
            keys.append(Set(playlist.segments.flatMap(\.keys).map(\.uri)))
        }
        #expect(Set(keys.joined()).count == keys.reduce(0) { $0 + $1.count }, "none is of two classes")
        let (common, differing) = try await eventually(within: 20, "slots of both") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.count >= 6 ? comparison : nil
        }
        #expect(
            differing.isEmpty,
            "\(differing.sorted()) of \(common.sorted())\n\(first.program.errors)\(second.program.errors)"
        )
        if let requests = try await server?.requests() {
            #expect(requests.allSatisfy { $0.tracks == ["AUDIO", "SD", "HD", "UHD"] }, "\(requests.map(\.tracks))")
        }
        await first.end()
        await second.end()
    }

    /// Then their playlists say different things of the same keys.
    @Test func whereKeysAreIsComparedByAPair() async throws {
        let pair = try PairFixture(feeds: [.oneLanguage])
        let own = ["--segment-duration": "1", "--key-rotation": "2"]
        let first = try await pair.packager(0, own)
        let others = ["--peer": first.origin, "--key-url": "https://keys.example.com", "--key-lease": "60"]
        let second = try await pair.packager(1, own.merging(others) { own, _ in own })
        let said = second.program.errors
        #expect(
            said.contains("key-url is https://keys.example.com on this packager, and not set on the peer"),
            "\(said)"
        )
        #expect(said.contains("key-lease is 60.0 on this packager, and 0.0 on the peer"), "\(said)")
        await first.end()
        await second.end()
    }

    private static var slot: Int64 { Int64(Date.now.timeIntervalSince1970) }
}
