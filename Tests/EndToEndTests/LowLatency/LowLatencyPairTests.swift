import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed tell the same parts.
@Suite(.timeLimit(.minutes(3))) struct LowLatencyPairTests {
    private static let renditions = ["video-360p", "audio-en"]

    @Test func membersTellTheSameParts() async throws {
        let pair = try PairFixture()
        let settings = ["--part-duration": "0.5", "--window": "60"]
        let first = try await pair.packager(0, settings)
        _ = try await PartReader(first, "video-360p")
        let second = try await pair.packager(1, settings.merging(["--peer": first.origin]) { own, _ in own })
        // It may have begun the slot under way before it knew what its peer has on air.
        let joined = PairFixture.slot + 1
        _ = try await second.mediaPlaylist("video-360p", "parts of its own") { playlist in
            playlist.openNumber > joined && !playlist.openSegments.isEmpty
        }
        let readers = try await withThrowingTaskGroup(of: PartReader.self) { group in
            for packager in [first, second] {
                for rendition in Self.renditions {
                    group.addTask { try await PartReader(packager, rendition).following(14) }
                }
            }
            return try await group.reduce(into: [PartReader]()) { $0.append($1) }
        }
        // Where the encoder was late, a pause may have ended in time for one, and too late for the other.
        let isPunctual = (pair.relay.longestPause?.seconds ?? 0) < 0.4
        let log = "\(first.program.errors)\(second.program.errors)"
        for rendition in Self.renditions {
            let own = try #require(readers.first { $0.rendition == rendition && $0.packager === first })
            let other = try #require(readers.first { $0.rendition == rendition && $0.packager === second })
            for reader in [own, other] {
                #expect(reader.earlyAnswers.isEmpty && reader.changes.isEmpty, "\(rendition)\n\(log)")
            }
            let common = own.parts.keys.filter { $0.segment > joined && other.parts[$0] != nil }
            #expect(common.count >= 8, "\(rendition)\n\(log)")
            let differing = common.filter { place in
                let (part, peers) = (own.parts[place], other.parts[place])
                return part?.line != peers?.line || part?.media != peers?.media
            }
            #expect(differing.isEmpty || !isPunctual, "\(rendition): \(differing.sorted())\n\(log)")
        }
        let verdict = try await first.verdict(on: second, seconds: 3)
        #expect(verdict.code == 0 || !isPunctual, "\(verdict.text)")
        await first.end()
        await second.end()
    }
}
