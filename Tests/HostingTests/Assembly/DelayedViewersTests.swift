import ContentProtection
import Control
import Foundation
import KeyServing
import MediaCore
import NIOCore
import Operations
import Origin
import Testing

@testable import Hosting

/// What viewers who are kept behind learn besides playlists and media; slots last a second, and the window has 20.
@Suite(.timeLimit(.minutes(5))) struct DelayedViewersTests {
    private let stage: RecordedStage

    init() throws {
        stage = try RecordedStage()
    }

    private func hosted(_ delay: Int64, _ flags: [String: [String]] = [:]) async throws -> HostedChannel {
        let delayed = flags.merging(["time-delay": ["\(delay)"]]) { $1 }
        return try await stage.hosted(try stage.settings(hasState: false, delayed))
    }

    // MARK: On air

    private func runs(_ channel: HostedChannel) throws -> [OnAirStatus.Run] {
        let json = try #require(channel.origin.onAir())
        let status = try JSONDecoder().decode(OnAirStatus.self, from: Data(json.readableBytesView))
        return status.renditions.flatMap(\.runs)
    }

    /// A delay that is shorter than the window, and one that is longer.
    @Test(arguments: [10, 60] as [Int64]) func onAirIsWhatTheirPlaylistsList(delay: Int64) async throws {
        let channel = try await hosted(delay)
        try stage.publish(100, in: channel)
        try stage.publish(5, isGap: true, in: channel)
        let end = stage.clock.now - MediaTime(seconds: delay)
        let runs = try self.runs(channel)
        #expect(runs.count == 1 && runs.last?.source != "none", "\(runs)")
        #expect(runs.last?.end == Timestamp(end))
        try stage.publish(Int(delay), in: channel)
        let later = try self.runs(channel)
        #expect(later.last?.source == "none" && later.count == 2, "\(later)")
        #expect(later.last?.start == Timestamp(end + MediaTime(seconds: delay - 5)))
        #expect(later.last?.end == Timestamp(end + MediaTime(seconds: delay)))
        await channel.runner.close(ends: false)
    }

    /// A restart loses nothing of what they have listed, and of what they will list.
    @Test(arguments: [10, 60] as [Int64]) func onAirIsThatOfEarlierProcessesToo(delay: Int64) async throws {
        let first = try await hosted(delay)
        try stage.publish(50, in: first)
        try stage.publish(5, isGap: true, in: first)
        try stage.publish(45, in: first)
        await first.runner.close(ends: false)
        let second = try await hosted(delay)
        let end = stage.clock.now - MediaTime(seconds: delay)
        let runs = try self.runs(second)
        #expect(runs.map(\.source) == ["input-1"] && runs.last?.end == Timestamp(end), "\(runs)")
        try stage.publish(20, in: second)
        let later = try self.runs(second)
        #expect(later.last?.end == Timestamp(end + MediaTime(seconds: 20)), "\(later)")
        #expect(later.map(\.source) == (delay == 60 ? ["input-1", "none", "input-1"] : ["input-1"]), "\(later)")
        await second.runner.close(ends: false)
    }

    @Test func onAirOfOtherChannelsIsUpToTheLiveEdge() async throws {
        let channel = try await hosted(0)
        try stage.publish(30, in: channel)
        try stage.publish(1, isGap: true, in: channel)
        let runs = try self.runs(channel)
        #expect(runs.last?.source == "none" && runs.last?.end == Timestamp(stage.clock.now), "\(runs)")
        await channel.runner.close(ends: false)
    }

    // MARK: Keys

    private struct Entry: Decodable {
        var keyID: String
        var start: String
    }

    private func schedule(_ keys: any KeyService) throws -> [Entry] {
        try JSONDecoder().decode([Entry].self, from: Data(try keys.schedule().readableBytesView))
    }

    /// The schedule once so many seconds have gone by.
    private func schedule(_ keys: any KeyService, after seconds: Int64) throws -> [Entry] {
        stage.clock.advance(by: seconds)
        defer { stage.clock.advance(by: -seconds) }
        return try schedule(keys)
    }

    private func isGiven(_ entry: Entry, _ keys: any KeyService) throws -> Bool {
        let keyID = KeyID(try #require(Bytes16(hex: entry.keyID)))
        return try keys.contentKey(keyID) != nil
    }

    /// Keys change every two slots.
    @Test(arguments: [10, 60] as [Int64]) func keysAreThoseOfTheirSlotsAndTheNextPeriod(delay: Int64) async throws {
        let channel = try await hosted(delay, ["encryption": ["aes-128"], "key-rotation": ["2"]])
        try stage.publish(100, in: channel)
        let keys = try #require(channel.origin.keys)
        let end = stage.clock.now - MediaTime(seconds: delay)
        let entries = try schedule(keys)
        let starts = [end - MediaTime(seconds: 2), end].map(\.iso8601)
        #expect(Set(entries.map(\.start)) == Set(starts), "\(entries)")
        for entry in entries { #expect(try isGiven(entry, keys), "\(entry)") }
        // What is recorded has not been on air for them.
        for seconds in [4, delay] as [Int64] {
            let coming = try schedule(keys, after: seconds).filter { !starts.contains($0.start) }
            #expect(!coming.isEmpty)
            for entry in coming { #expect(try !isGiven(entry, keys), "\(entry)") }
        }
        let old = try schedule(keys, after: -30)
        #expect(!old.isEmpty)
        for entry in old { #expect(try isGiven(entry, keys), "\(entry)") }
        await channel.runner.close(ends: false)
    }
}
