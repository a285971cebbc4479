import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing

@testable import Inspection
@testable import Packaging
@testable import Segmenting

/// Segments that are written in parts, judged by a reader that shares nothing with the writer.
@Suite struct PartPackagingTests {
    private static func joined(_ parts: [PublishedPart]) throws -> ByteBuffer {
        try parts.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer(try $1.bytes) }
    }

    private static func boxes(_ bytes: ByteBuffer) throws -> [FourCC] { try ParsedBox.boxes(in: bytes).map(\.type) }

    // MARK: Joined

    @Test(arguments: SampleMethod.allCases, [SlotInParts.video, SlotInParts.audio])
    func aSegmentIsItsPartsJoined(method: SampleMethod, configuration: CodecConfiguration) throws {
        let slot = SlotInParts(3, configuration)
        var packager = try method.packager(configuration.kind)
        let parts = try slot.parts.map { try packager.write($0) }
        let segment = try packager.write(SegmentContents(slot.cut))
        let media = try #require(segment.media)
        #expect(try media == Self.joined(parts))
        #expect(try Self.boxes(media) == ["styp", "moof", "mdat", "moof", "mdat", "moof", "mdat"])

        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        let fragments = try ParsedFragment.fragments(in: media, initialization: initialization)
        #expect(fragments.map(\.samples.count) == [4, 4, 4])
        #expect(fragments.first?.baseMediaDecodeTime == UInt64(slot.cut.decodeTime))
        #expect(fragments.dropFirst().map(\.baseMediaDecodeTime) == fragments.dropLast().map(\.endDecodeTime))
        #expect(fragments.last?.endDecodeTime == UInt64(slot.cut.decodeTime + slot.cut.duration))
        #expect(zip(fragments, fragments.dropFirst()).allSatisfy { $0.sequenceNumber < $1.sequenceNumber })
        let samples = fragments.flatMap(\.samples)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(
            samples.map { Int64($0.decodeTime) + $0.compositionOffset } == slot.cut.times.map(\.presentation),
            "every picture is shown when it was"
        )
        #expect(segment.iFrame == (configuration.kind == .video ? 0..<samples[0].range.upperBound : nil))
    }

    @Test func theFirstPartTellsHowTheSegmentBegins() throws {
        let slot = SlotInParts(0)
        var packager = try SampleMethod.pattern.packager()
        let parts = try slot.parts.map { try packager.write($0) }
        let segment = try packager.write(SegmentContents(slot.cut))
        let opening = try #require(parts[0].opening)
        #expect(opening.programDateTime == segment.programDateTime)
        #expect(opening.startsDiscontinuity)
        #expect(opening.keys == segment.keys && !opening.keys.isEmpty)
        #expect(opening.initialization?.name == segment.initialization?.name)
        #expect(opening.initialization?.bytes == segment.initialization?.bytes)
        #expect(opening.initialization?.keys == segment.initialization?.keys)
        #expect(parts.dropFirst().allSatisfy { $0.opening == nil })
        #expect(parts.map(\.index) == [0, 1, 2] && parts.allSatisfy { $0.number == slot.cut.number })
        #expect(parts.map(\.isIndependent) == [true, false, false])
        #expect(parts.reduce(MediaTime.zero) { $0 + $1.duration.time } == segment.duration.time)
    }

    /// The segment of a slot may wait for another rendition while the next one is told, under another key.
    @Test func partsOfTheNextSlotComeBeforeASegmentIsJoined() throws {
        let slots = (0..<3 as Range<Int64>).map { SlotInParts($0) }
        var inOrder = try SampleMethod.pattern.packager(slotsPerPeriod: 1)
        var ahead = try SampleMethod.pattern.packager(slotsPerPeriod: 1)
        var expected: [PublishedSegment] = []
        for slot in slots {
            for part in slot.parts { _ = try inOrder.write(part) }
            expected.append(try inOrder.write(SegmentContents(slot.cut)))
        }
        for part in slots[0].parts + slots[1].parts + slots[2].parts.prefix(2) { _ = try ahead.write(part) }
        var found = [try ahead.write(SegmentContents(slots[0].cut))]
        for part in slots[2].parts.dropFirst(2) { _ = try ahead.write(part) }
        found += try slots[1...].map { try ahead.write(SegmentContents($0.cut)) }
        #expect(found.map(\.media) == expected.map(\.media))
        #expect(found.map(\.initialization?.name) == expected.map(\.initialization?.name))
        #expect(found.map(\.keys) == expected.map(\.keys))
        #expect(Set(found.map(\.keys)).count == 3)
    }

    @Test func aSegmentThatLacksAPartIsNotWritten() throws {
        let slot = SlotInParts(1)
        for missing in slot.parts.indices {
            var packager = try SampleMethod.none.packager()
            for part in slot.parts where part.index != missing { _ = try packager.write(part) }
            #expect(throws: SegmentMuxerError.lacksParts) { try packager.write(SegmentContents(slot.cut)) }
            // The next one is whole.
            let next = SlotInParts(2)
            for part in next.parts { _ = try packager.write(part) }
            #expect(try packager.write(SegmentContents(next.cut)).media != nil)
        }
    }

    /// Slots that end as gaps are never joined.
    @Test func partsOfSegmentsThatNobodyAsksForLeaveMemory() throws {
        var parts = WrittenParts()
        for slot in 0..<100 as Range<Int64> {
            for index in 0..<3 {
                parts.add(MuxedSegment(bytes: ByteBuffer(integer: slot)), of: MediaSequenceNumber(slot), at: index)
            }
        }
        #expect(throws: SegmentMuxerError.lacksParts) {
            try parts.join(MediaSequenceNumber(95), count: 3, into: ByteBuffer())
        }
        let segment = try parts.join(MediaSequenceNumber(98), count: 3, into: ByteBuffer())
        #expect(segment.bytes == ByteBuffer(bytes: [UInt8](repeating: 0, count: 7) + [98]).repeated(3))
        #expect(throws: SegmentMuxerError.lacksParts) {
            try parts.join(MediaSequenceNumber(97), count: 3, into: ByteBuffer())
        }
    }

    /// The presentation has parts until long after their segment is joined.
    @Test func partsThatSomebodyHasStayAsTheyAre() throws {
        var packager = try SampleMethod.counter.packager()
        var kept: [(ByteBuffer, copy: [UInt8])] = []
        for number in 0..<6 as Range<Int64> {
            let slot = SlotInParts(number)
            for part in slot.parts {
                let bytes = try packager.write(part).bytes
                kept.append((bytes, Array(bytes.readableBytesView)))
            }
            _ = try packager.write(SegmentContents(slot.cut))
        }
        #expect(kept.allSatisfy { Array($0.readableBytesView) == $1 })
    }

    @Test func gapsHaveNeitherMediaNorMapNorKeys() throws {
        var packager = try SampleMethod.pattern.packager()
        var part = SlotInParts(2).parts[0]
        part.contents.cut.samples = []
        part.contents.cut.configuration = nil
        let gap = try packager.write(part)
        guard case .gap = gap.content else {
            Issue.record("it has media")
            return
        }
        #expect(!gap.isIndependent)
        #expect(gap.duration == SegmentDuration(value: 120_000, timescale: 90_000))
        let opening = try #require(gap.opening)
        #expect(opening.programDateTime == Epoch.at(9_000))
        #expect(opening.initialization == nil && opening.keys.isEmpty)
    }

    // MARK: Timed metadata

    @Test func messagesAreInThePartOfTheirTime() throws {
        let slot = SlotInParts(3)
        // Media time is a second behind UTC; the second part begins 1,333 ms after the slot.
        let tag = TimedTag(utc: Epoch.at(13_000 + 2_000), bytes: ByteBuffer(string: "ID3"))
        var out = DateRange(id: "7", start: Epoch.at(17_000))
        (out.plannedDuration, out.spliceOut) = (MediaTime(seconds: 20), [0xFC, 1])
        var decisions = slot.parts
        decisions[1].contents.tags = [tag]
        decisions[0].contents.sections = [out].compactMap(TimedSection.init)
        var packager = try SampleMethod.none.packager()
        let parts = try decisions.map { try packager.write($0) }
        let segment = try packager.write(SegmentContents(slot.cut))
        let boxes = try parts.map { try Self.boxes($0.bytes) }
        #expect(boxes == [["styp", "emsg", "moof", "mdat"], ["emsg", "moof", "mdat"], ["moof", "mdat"]])
        #expect(try segment.media == Self.joined(parts))
        #expect(try #require(segment.iFrame?.upperBound) > 700)
        let box = try #require(try ParsedBox.boxes(in: parts[1].bytes).first("emsg"))
        var fields = BoxFields(box.content)
        try fields.read("emsg", in: nil)
        let values = Dictionary(fields.values.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(values["presentation_time"] == "\(Epoch.at(14_000).value(timescale: 90_000))")
    }

    @Test func aMemberOfAPairWritesTheSameParts() throws {
        for method in SampleMethod.allCases {
            var (first, second) = (try method.packager(), try method.packager())
            for number in 0..<4 as Range<Int64> { for part in SlotInParts(number).parts { _ = try first.write(part) } }
            for part in SlotInParts(4).parts {
                #expect(try first.write(part).bytes == second.write(part).bytes)
            }
        }
    }
}

extension ByteBuffer {
    fileprivate func repeated(_ count: Int) -> ByteBuffer {
        (0..<count).reduce(into: ByteBuffer()) { bytes, _ in bytes.writeImmutableBuffer(self) }
    }
}
