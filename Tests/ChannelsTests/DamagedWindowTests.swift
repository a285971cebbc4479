import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// A channel continues, whatever a peer says.
@Suite struct DamagedWindowTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    @Test func aChannelGoesOnFromAnyWindowThatCanBeRead() throws {
        let earlier = ChannelFixture(source: .pts)
        let input = earlier.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: earlier)
        let text = try Array(JSONEncoder().encode(earlier.presentation.saved))
        // Most of a text is names: numbers are what arithmetic suffers from.
        let digits = text.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[$0]) }
        var generator = SeededGenerator(seed: 8)
        var survivors = 0
        for _ in 0..<80 {
            var damaged = text
            let index = digits[Int.random(in: digits.indices, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: damaged[index] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &generator)
            case 1: damaged.insert(contentsOf: "999999".utf8, at: index)
            default: damaged.remove(at: index)
            }
            guard let window = try? JSONDecoder().decode(SavedWindow.self, from: Data(damaged)) else { continue }
            survivors += 1
            try goOn(window, bytesOf: earlier)
        }
        #expect(survivors > 25)
    }

    /// One slot more is published after what is left of the window.
    private func goOn(_ window: SavedWindow, bytesOf earlier: ChannelFixture) throws {
        var restored = RestoredWindow(window: window, bodies: [:])
        for file in window.files { restored.bodies[file.path] = earlier.bytes(file.path) ?? ByteBuffer() }
        let fixture = ChannelFixture(source: .pts)
        fixture.clock.set(Epoch.at(13_000))
        fixture.channel.restore(restored)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(13_000..<22_000, at: 13_000, to: input, of: fixture)
        #expect(try #require(fixture.presentation.saved.lastNumber) >= Epoch.slot.advanced(by: 3))
    }
}
