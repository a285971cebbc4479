import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import TestSupport
import Testing

@testable import Origin

/// Many clients that ask for different ranges while the channel goes on.
@Suite struct PastConcurrencyTests {
    @Test func everyAnswerIsWholeWhileSlotsAreRecorded() async throws {
        let past = try PastFixture(slots: 300)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for slot: Int64 in 300..<340 { try past.publish(slot..<slot + 1) }
            }
            for seed in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    for _ in 0..<50 {
                        let start = Int64.random(in: 0..<290, using: &random)
                        let range = start..<start + .random(in: 1...200, using: &random)
                        let path = "\(PastFixture.range(range))/video-1080p.m3u8"
                        let answer = past.fetch(path)
                        // Nothing but the gap.
                        if range == 8..<9 { continue }
                        #expect(answer.status == .ok, "\(path)")
                        let playlist = try MediaPlaylist(parsing: String(buffer: answer.body))
                        #expect(playlist.mediaSequence.value == Fixture.first + start)
                        let numbers = playlist.segments.indices.map { Fixture.first + start + Int64($0) }
                        #expect(playlist.segments.map(\.uri) == numbers.map { "../../video-1080p/\($0).m4s" })
                        #expect(playlist.segments.count <= range.count)
                        if playlist.isOnDemand { #expect(playlist.segments.count == range.count) }
                        for segment in playlist.segments.shuffled(using: &random).prefix(2) where !segment.isGap {
                            #expect(past.fetch("/live/\(segment.uri.dropFirst(6))").status == .ok)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
