import Foundation
import MediaCore
import NIOCore
import Playlists
import TestSupport
import Testing

@testable import Presentation

/// Parts of slots that are not over, as another process lists them again.
@Suite struct OpenPartsTests {
    private static func saved(_ number: Int64, _ index: Int, isGap: Bool = false) -> SavedPart {
        SavedPart(Channel.part(number, index, isGap: isGap, keyPeriod: 3), of: Channel.video)
    }

    private static func open(_ parts: [SavedPart]) -> OpenParts {
        var open = OpenParts()
        for part in parts { open.append(part) }
        return open
    }

    @Test func anotherPresentationListsWhatWasTold() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<2, startsDiscontinuity: true, keyPeriod: 3)
        let restored = channel.presentation.restorable
        #expect(restored.open.all.count == 4)
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
                    .map { String(buffer: $0).lines("#EXT-X-PART:").suffix(2) } ?? []
            }
            #expect(parts[0].count == 2 && parts[0] == parts[1])
        }
        #expect(successor.presentation.restorable.open == restored.open)
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
        #expect(restored.open.byRendition[Channel.video]?.count == Channel.partCount + 1)
        let successor = Channel.lowLatency()
        successor.presentation.restore(restored, now: channel.now)
        #expect(successor.presentation.restorable.open == restored.open)
    }

    @Test func aWindowThatHasExpiredTakesItsPartsAlong() throws {
        var channel = Channel.lowLatency()
        try channel.tellAndPublish(count: 6)
        try channel.tell(parts: 0..<2)
        let successor = Channel.lowLatency()
        successor.presentation.restore(channel.presentation.restorable, now: channel.now + MediaTime(seconds: 600))
        #expect(successor.presentation.restorable.open.isEmpty)
    }

    @Test func textAndBackIsTheSame() throws {
        let open = Self.open([Self.saved(11, 0), Self.saved(11, 1), Self.saved(11, 2, isGap: true), Self.saved(12, 0)])
        #expect(open.all.count == 4)
        #expect(try JSONDecoder().decode(OpenParts.self, from: JSONEncoder.canonical.encode(open)) == open)
    }

    @Test func partsFollowEachOther() {
        var open = Self.open([Self.saved(11, 0), Self.saved(11, 1)])
        for wrong in [Self.saved(11, 1), Self.saved(11, 3), Self.saved(10, 0), Self.saved(12, 1), Self.saved(13, 0)] {
            let follows = open.append(wrong)
            #expect(!follows, "\(wrong.number) \(wrong.index)")
        }
        #expect(open.all.count == 2 && open.newest?.value == 11)
        #expect(!OpenParts().isFollowed(by: Self.saved(11, 1)))
        open.append(Self.saved(12, 0))
        open.drop(through: MediaSequenceNumber(11))
        #expect(open.all.map(\.number.value) == [12])
        open.drop(through: MediaSequenceNumber(12))
        #expect(open.isEmpty)
    }

    @Test func aRenditionHasOnlySoManyParts() {
        var open = OpenParts()
        var part = Self.saved(11, 0)
        part.opening = nil
        for index in 0..<OpenParts.mostParts {
            part.index = index
            open.append(part)
        }
        #expect(open.all.count == OpenParts.mostParts)
        part.index = OpenParts.mostParts
        open.append(part)
        #expect(open.all.count == OpenParts.mostParts)
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
            let found = RestoredWindow(window: restored.window, bodies: bodies, open: restored.open).open
            #expect(found.byRendition[Channel.video]?.count ?? 0 == count, "\(lost)")
            #expect(found.byRendition[Channel.audio]?.count == 3)
        }
        try channel.publish()
        let later = channel.presentation.restorable
        #expect(RestoredWindow(window: later.window, bodies: restored.bodies, open: restored.open).open.isEmpty)
        let bodies = later.bodies.merging(restored.bodies) { first, _ in first }
        var ahead = OpenParts()
        ahead.append(Self.saved(number + 5, 0))
        #expect(RestoredWindow(window: later.window, bodies: bodies, open: ahead).open.isEmpty)
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
