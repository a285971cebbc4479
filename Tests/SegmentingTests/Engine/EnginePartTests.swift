import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Segmenting

/// The contents of parts as they leave the engine.
@Suite struct EnginePartTests {
    private static func texts(_ part: ChannelEngine.PartDecision) -> [String] {
        (part.contents.tags ?? []).map { String(buffer: $0.bytes) }
    }

    /// The slots that are told in parts are nothing but these.
    @Test func aSlotCountsItsParts() {
        var channel = PartChannel()
        channel.run(until: 60)
        #expect(channel.slots.count >= 5)
        #expect(channel.slots[0].segments.allSatisfy { $0.contents.partCount == 0 })
        for slot in channel.slots.dropFirst() {
            for segment in slot.segments {
                let parts = channel.parts.map(\.part).filter { $0.id == segment.id && $0.cut.number == slot.number }
                #expect(segment.contents.partCount == parts.count && parts.count >= 4)
                #expect(parts.map(\.index) == Array(parts.indices))
            }
        }
    }

    /// Every fifth picture is a key frame; a part has two, and that of the middle of a slot begins in the middle of a part.
    @Test func aPartWithAKeyFrameIsIndependent() {
        var channel = PartChannel()
        channel.run(until: 40)
        let parts = channel.parts(of: 2, "video-360p")
        #expect(parts.map(\.isIndependent) == [true, false, true, false, false])
        #expect(channel.parts(of: 2, "audio").allSatisfy { $0.isIndependent })
    }

    /// Five pictures of 0.8 s: of the parts that the operator may set, one of a picture is the nearest.
    @Test func aPartDurationThatFitsIsNamedOnce() {
        var channel = PartChannel()
        channel.run(until: 20)
        #expect(channel.remedies.isEmpty)
        channel.run(until: 100)
        #expect(channel.remedies == ["set part-duration: 0.8"])
    }

    // MARK: Tags

    @Test func aTagIsInThePartOfItsTime() {
        var channel = PartChannel()
        for second in 8..<40 {
            channel.run(until: Double(second))
            channel.tag("\(second)", at: Double(second) + 0.9)
        }
        channel.run(until: 41)
        for id in PartChannel.ids {
            let parts = (1...3).flatMap { channel.parts(of: $0, id) }
            for part in parts {
                let due = (8..<40).filter { part.cut.span.contains(PartChannel.at(Double($0) + 0.9)) }
                #expect(Self.texts(part) == due.map { "\($0)" })
            }
            #expect(parts.flatMap(Self.texts) == (8..<32).map { "\($0)" })
        }
        for slot in channel.slots.dropFirst() {
            #expect(slot.segments.allSatisfy { $0.contents.tags?.isEmpty ?? true })
        }
    }

    /// Its part has left, and there is no other after the end of the slot.
    @Test(arguments: [16.5, 23.9])
    func aTagThatIsLateIsInTheNextPart(time: Double) {
        var channel = PartChannel()
        channel.run(until: time < 20 ? 21 : 25.8)
        let count = channel.parts.count
        channel.tag("late", at: time)
        // What is late by more than a slot is no longer of use.
        channel.tag("too late", at: 8)
        channel.run(until: 40)
        for id in PartChannel.ids {
            let later = channel.parts[count...].map(\.part).filter { $0.id == id }
            #expect(later.first.map(Self.texts) == ["late"])
            #expect(channel.parts.map(\.part).filter { $0.id == id }.flatMap(Self.texts) == ["late"])
        }
    }

    @Test func aTagThatIsRepeatedIsWrittenOnce() {
        var channel = PartChannel()
        channel.run(until: 16)
        for _ in 0..<3 {
            channel.tag("again", at: 16.5)
            channel.run(until: 17.2)
        }
        channel.run(until: 21)
        channel.tag("again", at: 16.5)
        channel.run(until: 40)
        for id in PartChannel.ids {
            #expect(channel.parts.map(\.part).filter { $0.id == id }.flatMap(Self.texts) == ["again"])
        }
    }

    /// However many come, memory has a bound, and none is written twice.
    @Test func aFloodOfTagsIsNotWrittenTwice() {
        var channel = PartChannel()
        channel.run(until: 16)
        for part in 0..<20 {
            let start = 16 + 1.6 * Double(part)
            channel.run(until: start + 0.4)
            for index in 0..<400 { channel.tag("\(part) \(index)", at: start + 0.8) }
        }
        channel.run(until: 50)
        for id in PartChannel.ids {
            let texts = channel.parts.map(\.part).filter { $0.id == id }.flatMap(Self.texts)
            // More than are remembered.
            #expect(texts.count > 512)
            #expect(Set(texts).count == texts.count)
        }
    }

    /// Sections of splices are known with the slot before: the parts of that are told, and those of the next carry them.
    @Test func sectionsAreInPartsOnce() {
        var channel = PartChannel { $0.hasSpliceMessages = true }
        channel.run(until: 400)
        let told = channel.slots.flatMap { $0.dateRanges.all.compactMap(TimedSection.init) }
        #expect(told.count > 2)
        for id in PartChannel.ids {
            let sections = channel.parts.map(\.part).filter { $0.id == id }.flatMap(\.contents.sections)
            #expect(Set(sections).count == sections.count && sections.count >= told.count - 1)
        }
        #expect(channel.slots.dropFirst().flatMap(\.segments).allSatisfy { $0.contents.sections.isEmpty })
    }

    // MARK: Keys

    /// A part waits as long as it may last.
    @Test func aKeyThatIsALittleLateDelaysAPart() {
        var channel = PartChannel(lateKey: .hold)
        channel.run(until: 19.4)
        #expect(PartChannel.ids.allSatisfy { channel.parts(of: 2, $0).isEmpty && !channel.parts(of: 1, $0).isEmpty })
        channel.deliver()
        #expect(PartChannel.ids.allSatisfy { !channel.parts(of: 2, $0).isEmpty })
        channel.run(until: 30)
        let parts = PartChannel.ids.flatMap { channel.parts(of: 2, $0) }
        #expect(parts.count >= 10 && parts.allSatisfy { !$0.contents.isGap })
    }

    /// Beyond that it is a gap, and so is the rest of the slot, whenever the key comes.
    @Test func aKeyThatIsTooLateMakesGaps() throws {
        var channel = PartChannel(lateKey: .hold)
        channel.run(until: 16)
        channel.tag("lost", at: 17)
        channel.run(until: 21)
        channel.deliver()
        channel.run(until: 40)
        for id in PartChannel.ids {
            let parts = channel.parts(of: 2, id)
            #expect(parts.count >= 5 && parts.allSatisfy { $0.contents.isGap && !$0.isIndependent })
            #expect(channel.parts(of: 3, id).allSatisfy { !$0.contents.isGap })
            // It goes with the next part that has media.
            #expect(channel.parts(of: 3, id).map(Self.texts) == [["lost"], [], [], [], []])
            let first = try #require(channel.parts.first { $0.part.id == id && $0.part.contents.isGap })
            #expect(first.part.index == 0)
            // The next picture shows that the part is over; then it waits for its own duration.
            let delay = first.at - first.part.cut.end.utc
            #expect(delay >= EngineRun.partDuration && delay <= EngineRun.partDuration + MediaTime(milliseconds: 1_200))
        }
        let slot = channel.slots[2]
        #expect(slot.segments.allSatisfy { $0.contents.isGap && $0.contents.partCount >= 5 })
    }
}
