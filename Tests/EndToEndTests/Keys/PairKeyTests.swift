import Foundation
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed that have their keys from one key server.
@Suite struct PairKeyTests {
    /// Also where the server is out of order for longer than keys were asked for ahead.
    @Test(arguments: ["hold", "reuse", "gap", "fail"])
    func whatBothProtectIsTheSame(policy: String) async throws {
        let server = try await KeyServerProcess()
        let pair = try PairFixture(feeds: [.oneLanguage])
        let flags = server.flags.merging([
            "--segment-duration": "1", "--key-rotation": "2", "--window": "30", "--late-key": policy,
        ]) { own, _ in own }
        let first = try await pair.packager(0, flags)
        let second = try await pair.packager(1, flags.merging(["--peer": first.origin]) { own, _ in own })
        _ = try await second.mediaPlaylist("video-180p", "three periods") { $0.countOfKeys >= 3 }
        try server.become("broken")
        let note = policy == "reuse" ? "goes on protecting" : "its segments are gaps"
        for packager in [first, second] {
            _ = try await eventually(within: 30, "the operator is told") {
                try await HTTP.get("\(packager.control)/events").text.contains(note) ? true : nil
            }
        }
        let late = Self.slot
        try await Task.sleep(for: .seconds(4))
        try server.become("fine")
        let back = Self.slot
        let (common, differing) = try await eventually(within: 40, "slots after the return") {
            let comparison = try await first.comparison(with: second)
            return comparison.common.contains(back + 8) ? comparison : nil
        }
        // Each has asked again at a moment of its own.
        #expect(
            differing.allSatisfy { (late - 2..<back + 6).contains($0) },
            "\(differing.sorted()), \(late) to \(back)"
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

    private static var slot: Int64 { Int64(Date.now.timeIntervalSince1970) }
}
