import Foundation
import MediaCore
import NIOCore
import Playlists
import TestSupport
import Testing

@testable import Presentation

/// Parts of the newest slots, as another process lists them again.
@Suite struct SavedPartsTests {
    private static func saved(_ number: Int64, _ index: Int, isGap: Bool = false) -> SavedPart {
        SavedPart(Channel.part(number, index, isGap: isGap, keyPeriod: 3), of: Channel.video)
    }

    private static func open(_ parts: [SavedPart]) -> SavedParts {
        var open = SavedParts()
        for part in parts { open.append(part) }
        return open
    }

    @Test func anotherPresentationListsWhatWasTold() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<2, startsDiscontinuity: true, keyPeriod: 3)
        let restored = channel.presentation.restorable
        #expect(restored.parts.all(after: channel.presentation.lastNumber).count == 4)
        let successor = Channel.lowLatency()
        successor.presentation.restore(restored, now: channel.now)
        for id in [Channel.video, Channel.audio] {
            for index in 0..<2 {
                let path = "\(id)/\(channel.nextNumber).\(index).m4s"
                let bodies = [channel.presentation, successor.presentation].map { presentation in
                    presentation.resource(path, now: channel.now).resource?.body.memory
                }
                #expect(bodies[0] != nil && bodies[0] == bodies[1])
            }
            let section = "\(id)/init-3.mp4"
            #expect(successor.presentation.resource(section, now: channel.now).resource != nil)
            let parts = [channel.presentation, successor.presentation].map { presentation in
                presentation.resource("\(id).m3u8", now: channel.now).resource?.body.memory
                    .map { String(buffer: $0).lines("#EXT-X-PART:") } ?? []
            }
            // Of three target durations, and of the slot that is not over.
            #expect(parts[0].count == 5 * Channel.partCount + 2 && parts[0] == parts[1])
        }
        #expect(successor.presentation.restorable.parts == restored.parts)
        #expect(successor.presentation.saved == channel.presentation.saved)
    }

    /// A segment with as many bytes may have a tag in another part.
    @Test func partsOfAnEarlierProcessKeepTheirBytes() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 2)
        for id in [Channel.video, Channel.audio] {
            for (index, size) in [400, 600].enumerated() {
                var part = Channel.part(channel.nextNumber, index, of: id)
                part.content = .media(ByteBuffer(repeating: UInt8(index), count: size))
                try channel.presentation.publish(part, of: id)
            }
        }
        var successor = Channel(Channel.lowLatency().presentation, next: channel.nextNumber)
        successor.presentation.restore(channel.presentation.restorable, now: channel.now)
        successor.presentation.declare(renditions: [.video, .audio])
        try successor.publish()
        for (index, size) in [400, 600].enumerated() {
            let path = "video-1080p/\(channel.nextNumber).\(index).m4s"
            let body = successor.presentation.resource(path, now: successor.now).resource?.body
            #expect(body?.memory == ByteBuffer(repeating: UInt8(index), count: size))
        }
    }

    /// Where a slot is not written yet, the parts of the next one are there.
    @Test func twoSlotsMayBeOpen() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell()
        try channel.tell([Channel.video], parts: 0..<1, ahead: 1)
        let restored = channel.presentation.restorable
        let open = restored.parts.all(after: channel.presentation.lastNumber)
        #expect(open.count { $0.rendition == Channel.video } == Channel.partCount + 1)
        let successor = Channel.lowLatency()
        successor.presentation.restore(restored, now: channel.now)
        #expect(successor.presentation.restorable.parts == restored.parts)
    }

    @Test func aWindowThatHasExpiredTakesItsPartsAlong() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<2)
        let successor = Channel.lowLatency()
        successor.presentation.restore(channel.presentation.restorable, now: channel.now + MediaTime(seconds: 600))
        #expect(successor.presentation.restorable.parts.isEmpty)
    }

    @Test func textAndBackIsTheSame() throws {
        let open = Self.open([Self.saved(11, 0), Self.saved(11, 1), Self.saved(11, 2, isGap: true), Self.saved(12, 0)])
        #expect(open.all.count == 4)
        #expect(try JSONDecoder().decode(SavedParts.self, from: JSONEncoder.canonical.encode(open)) == open)
    }

    @Test func partsFollowEachOther() {
        var open = Self.open([Self.saved(11, 0), Self.saved(11, 1)])
        for wrong in [Self.saved(11, 1), Self.saved(11, 3), Self.saved(10, 0), Self.saved(12, 1)] {
            let follows = open.append(wrong)
            #expect(!follows, "\(wrong.number) \(wrong.index)")
        }
        #expect(open.all.count == 2 && open.newest?.value == 11)
        #expect(!SavedParts().isFollowed(by: Self.saved(11, 1)))
        open.append(Self.saved(13, 0))
        #expect(open.all.map(\.number.value) == [11, 11, 13], "a slot may have no parts")
    }

    @Test func theNewestSlotsThatAreOverKeepTheirPartsAndNoOpenings() {
        var saved = Self.open([Self.saved(11, 0), Self.saved(11, 1), Self.saved(12, 0)])
        saved.end(through: MediaSequenceNumber(11))
        #expect(saved.all.map(\.number.value) == [11, 11, 12])
        #expect(saved.all.map { $0.opening == nil } == [true, true, false])
        #expect(saved.all(after: MediaSequenceNumber(11)) == [Self.saved(12, 0)])
        saved.end(through: MediaSequenceNumber(10 + Int64(SavedParts.wholeSlots)))
        #expect(saved.all.map(\.number.value) == [11, 11, 12])
        saved.end(through: MediaSequenceNumber(11 + Int64(SavedParts.wholeSlots)))
        #expect(saved.all.map(\.number.value) == [12])
        saved.end(through: MediaSequenceNumber(1 << 37))
        #expect(saved.isEmpty)
    }

    /// Parts are served for three target durations after playlists have listed them (RFC 8216bis § 6.2.2), however long
    /// slots are.
    @Test(arguments: [500, 667, 1000, 1001, 2000, 4000, 6006, 10_000])
    func noMoreSlotsAreServedThanAreSaved(milliseconds: Int) {
        let terms = LowLatency(
            partTarget: MediaTime(milliseconds: 200),
            targetDuration: (milliseconds * 3 + 1999) / 2000,
            segmentDuration: MediaTime(milliseconds: Int64(milliseconds))
        )
        #expect(Int(terms.servedSlots) <= SavedParts.wholeSlots)
        #expect((SavedParts.wholeSlots + 2) * terms.maximumCount < SavedParts.mostParts)
    }

    /// A playlist then hints at the next slot, also in another process.
    @Test func thatAPartIsTheLastOneIsKept() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<3)
        for id in [Channel.video, Channel.audio] {
            var part = Channel.part(channel.nextNumber, 3, of: id)
            part.isLast = true
            try channel.presentation.publish(part, of: id)
        }
        let restored = channel.presentation.restorable
        #expect(restored.parts.byRendition[Channel.video]?.last?.isLast == true)
        let text = try JSONEncoder.canonical.encode(restored.parts)
        #expect(try JSONDecoder().decode(SavedParts.self, from: text) == restored.parts)
        let successor = Channel(Channel.lowLatency().presentation, next: channel.nextNumber)
        successor.presentation.restore(restored, now: channel.now)
        #expect(try successor.playlist().hints == channel.playlist().hints)
        #expect(try successor.playlist().hints.first?.uri == "video-1080p/\(channel.nextNumber + 1).0.m4s")
    }

    /// The request that waits for the part after the last one of a slot, and comes to another process.
    @Test func whoAsksForAPartBeyondTheLastOneWaitsForTheNextSlot() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        let successor = Channel(Channel.lowLatency().presentation, next: channel.nextNumber)
        successor.presentation.restore(channel.presentation.restorable, now: channel.now)
        let last = MediaSequenceNumber(channel.nextNumber - 1)
        let beyond = PlaylistPosition(last, part: Channel.partCount)
        let next = PlaylistPosition(last.next, part: 0)
        for presentation in [channel.presentation, successor.presentation] {
            #expect(presentation.reload(Channel.video, at: beyond) == .waiting(.reaches(Channel.video, next)))
        }
        try successor.tell(parts: 0..<1)
        #expect(successor.presentation.reload(Channel.video, at: beyond) == .ready)
    }

    /// Segments have the bytes; those of an earlier process may differ from its parts.
    @Test func partsWhoseSegmentHasOtherBytesAreLeftOut() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 2)
        let restored = channel.presentation.restorable
        let number = channel.nextNumber - 1
        #expect(restored.bodies["video-1080p/\(number).0.m4s"] == nil, "no byte is there twice")
        var parts = SavedParts()
        for part in restored.parts.all {
            var part = part
            if part.rendition == Channel.video, part.number.value == number, part.index == 1 {
                part.entityTag = "\"x\""
            }
            parts.append(part)
        }
        let found = RestoredWindow(window: restored.window, bodies: restored.bodies, parts: parts).parts
        #expect(found.byRendition[Channel.video]?.map(\.number.value) == Array(repeating: number - 1, count: 4))
        #expect(found.byRendition[Channel.audio]?.count == 8)
    }

    @Test func aRenditionHasOnlySoManyParts() {
        var open = SavedParts()
        var part = Self.saved(11, 0)
        part.opening = nil
        for index in 0..<SavedParts.mostParts {
            part.index = index
            open.append(part)
        }
        #expect(open.all.count == SavedParts.mostParts)
        part.index = SavedParts.mostParts
        open.append(part)
        #expect(open.all.count == SavedParts.mostParts)
    }

    /// What comes after a part that is lost is of no use; a slot that is over needs none.
    @Test func whatCannotBeListedAgainIsLeftOut() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<3)
        let restored = channel.presentation.restorable
        let number = channel.nextNumber
        for (lost, count) in [("\(number).1.m4s", 1), ("\(number).0.m4s", 0), ("init.mp4", 0), ("none", 3)] {
            let bodies = restored.bodies.filter { $0.key != "\(Channel.video)/\(lost)" }
            let found = RestoredWindow(window: restored.window, bodies: bodies, parts: restored.parts).parts
            let open = found.all(after: channel.presentation.lastNumber)
            #expect(open.count { $0.rendition == Channel.video } == count, "\(lost)")
            #expect(open.count { $0.rendition == Channel.audio } == 3)
        }
        // Three parts are not all of a slot that is over.
        try channel.publish()
        let later = channel.presentation.restorable
        let whole = RestoredWindow(window: later.window, bodies: later.bodies, parts: restored.parts).parts
        #expect(!whole.isEmpty && whole.all.allSatisfy { $0.number.value < number })
        let bodies = later.bodies.merging(restored.bodies) { first, _ in first }
        var ahead = SavedParts()
        ahead.append(Self.saved(number + 5, 0))
        #expect(RestoredWindow(window: later.window, bodies: bodies, parts: ahead).parts.isEmpty)
    }

    @Test(arguments: [
        (#""number":11"#, #""number":-1"#), (#""index":0"#, #""index":-1"#), (#""index":0"#, #""index":100000"#),
        (#""timescale":1"#, #""timescale":0"#), (#""duration":1"#, #""duration":3601"#),
        (#""duration":1"#, #""duration":-1"#), (#""bytes":250"#, #""bytes":-1"#),
        (#""bytes":250"#, #""bytes":99999999999999"#), (#""start":3960000"#, #""start":9000000000000000000"#),
        (#""rendition":"video-1080p""#, #""rendition":"..""#),
        (#""map":"video-1080p/init-3.mp4""#, #""map":"video-1080p/../init-3.mp4""#),
        (#""map":"video-1080p/init-3.mp4""#, #""map":"audio-en/init-3.mp4""#),
        (#""method":"SAMPLE-AES""#, #""method":"ROT13""#),
    ])
    func whatIsBeyondReasonIsRefused(good: String, bad: String) throws {
        let text = String(decoding: try JSONEncoder.canonical.encode(Self.saved(11, 0)), as: UTF8.self)
        #expect(try JSONDecoder().decode(SavedPart.self, from: Data(text.utf8)) == Self.saved(11, 0))
        #expect(text.contains(good), "\(text)")
        let damaged = Data(text.replacing(good, with: bad).utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SavedPart.self, from: damaged) }
    }
}
