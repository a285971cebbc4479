import Foundation
import MediaCore
import Playlists
import Presentation
import Segmenting
import SegmentingSupport
import Testing

@testable import Hosting

/// The state that a channel leaves, from one process to the next.
@Suite struct ChannelHandoverTests {
    private static func handedOver(_ window: RestoredWindow?, _ json: Data) throws -> RestoredWindow? {
        try JSONDecoder().decode(ChannelHandover.self, from: json)
            .predecessor(inputs: [], bodies: window?.bodies ?? [:], feeds: [:]).window
    }

    /// Parts are listed for three target durations, and served for three more (RFC 8216bis § 6.2.2).
    @Test func partsOfTheNewestSlotsGoOver() throws {
        let window = try ToldPresentation.make().restorable
        let predecessor = ChannelPredecessor(window: window, streamIdentity: [:], schedule: [])
        let json = try JSONEncoder().encode(ChannelHandover(predecessor, secret: nil))
        let found = try #require(try Self.handedOver(window, json))
        #expect(found.parts.all.map(\.number.value) == [1000, 1000, 1001])
        #expect(found.parts == window.parts)
    }

    @Test func inputsGoOverWithTheirFeedsAndThoseOfAnOlderVersionByName() throws {
        var predecessor = ChannelPredecessor(window: nil, streamIdentity: [:], schedule: [])
        predecessor.inputs = [
            try FormerInputTests.placed("input-1", "udp://127.0.0.1:5000", anchor: 1),
            FormerInput(name: "backup-1", location: "udp://127.0.0.1:5001", isHeld: true),
            FormerInput(name: "backup-2", location: "udp://127.0.0.1:5002", isHeld: true),
        ]
        func found(_ handover: ChannelHandover) throws -> [FormerInput] {
            let json = try JSONEncoder().encode(handover)
            let inputs = [InputID.input(0)] + (0..<2).map { InputID.backup($0, inputCount: 1) }
            return try JSONDecoder().decode(ChannelHandover.self, from: json)
                .predecessor(inputs: inputs, bodies: [:], feeds: [:]).inputs
        }
        var handover = ChannelHandover(predecessor, secret: nil)
        #expect(try found(handover) == predecessor.inputs)
        // Such a version knows one that is held.
        handover.inputs = nil
        let byName = [
            FormerInput(name: "input-1", placement: predecessor.inputs[0].placement),
            FormerInput(name: "backup-1", isHeld: true), FormerInput(name: "backup-2"),
        ]
        #expect(try found(handover) == byName)
    }

    /// The first version with parts handed over those of slots that were not over.
    @Test func partsOfTheFirstVersionAreRead() throws {
        let window = try ToldPresentation.make().restorable
        let predecessor = ChannelPredecessor(window: window, streamIdentity: [:], schedule: [])
        var handover = ChannelHandover(predecessor, secret: nil)
        var open = SavedParts()
        for part in window.parts.all(after: window.window.lastNumber) { open.append(part) }
        handover.parts = open
        let json = try JSONEncoder().encode(handover)
        #expect(String(decoding: json, as: UTF8.self).contains(#""open":["#))
        #expect(try Self.handedOver(window, json)?.parts.all.map(\.number.value) == [1001])
    }
}
