import Dispatch
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import TestSupport
import Testing

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// The order in which parts are written and published, whatever becomes of each.
@Suite struct PartLineTests {
    private struct Failure: Error {}

    private static func part(
        _ slot: Int64,
        _ index: Int,
        _ format: SegmentFormat = .fragmentedMP4
    ) -> ChannelEngine.PartDecision {
        let start = Boundary(media: Epoch.at(slot * 4_000 + Int64(index) * 500), utcOffset: .zero)
        let cut = CutSegment(
            number: MediaSequenceNumber(slot),
            start: start,
            end: Boundary(media: start.media + MediaTime(milliseconds: 500), utcOffset: .zero),
            timescale: 90_000,
            decodeTime: start.media.ticks,
            duration: 45_000,
            samples: [FragmentSample(duration: 45_000, isSync: true, payload: ByteBuffer())],
            configuration: .avc(SyntheticTracks.video)
        )
        return ChannelEngine.PartDecision(
            id: "video",
            form: SegmentForm(kind: .video, format: format),
            index: index,
            contents: SegmentContents(cut),
            startsDiscontinuity: false
        )
    }

    private static func written(_ part: ChannelEngine.PartDecision) -> PublishedPart {
        var written = PublishedPart(gap: part)
        written.content = .media(ByteBuffer(string: "\(part.cut.number).\(part.index)"))
        return written
    }

    private static func text(_ part: PublishedPart) -> String {
        if case .gap = part.content { "\(part.number).\(part.index) gap" } else { "\(part.number).\(part.index)" }
    }

    /// Returns the parts that can be published by now.
    private static func publish(_ line: inout PartLine, after batch: Int = 0) -> [String] {
        var published: [String] = []
        while let part = line.takePublishable(after: batch) {
            published.append(text(part))
        }
        return published
    }

    /// Writes all that waits.
    private static func write(_ line: inout PartLine) {
        while let part = line.next() { line.finish(.success(written(part))) }
    }

    @Test func partsAreWrittenAndPublishedInOrder() throws {
        var line = PartLine(patience: nil)
        #expect(line.add(Self.part(1, 0), at: .zero, after: 0) == PartLine.Work(mustWrite: true))
        // Whoever writes takes all.
        #expect(line.add(Self.part(1, 1), at: .zero, after: 0) == PartLine.Work())
        let next = line.next()
        let first = try #require(next)
        #expect(Self.publish(&line).isEmpty)
        line.finish(.success(Self.written(first)))
        Self.write(&line)
        #expect(Self.publish(&line) == ["1.0", "1.1"])
        #expect(line.add(Self.part(2, 0), at: .zero, after: 0) == PartLine.Work(mustWrite: true))
    }

    @Test func aPartWaitsForTheBatchBeforeIt() {
        var line = PartLine(patience: nil)
        for (slot, batch) in [(1, 0), (2, 7), (3, 7), (4, 9)] as [(Int64, Int)] {
            _ = line.add(Self.part(slot, 0), at: .zero, after: batch)
        }
        Self.write(&line)
        #expect(Self.publish(&line, after: 6) == ["1.0"])
        #expect(Self.publish(&line, after: 7) == ["2.0", "3.0"])
        #expect(Self.publish(&line, after: 9) == ["4.0"])
    }

    @Test func afterAFailureTheRestOfTheSlotIsGaps() throws {
        var line = PartLine(patience: nil)
        for index in 0..<3 { _ = line.add(Self.part(1, index), at: .zero, after: 0) }
        let first = line.next()
        line.finish(.success(Self.written(try #require(first))))
        _ = line.next()
        line.finish(.failure(Failure()))
        _ = line.add(Self.part(1, 3), at: .zero, after: 0)
        _ = line.add(Self.part(2, 0), at: .zero, after: 0)
        Self.write(&line)
        #expect(Self.publish(&line) == ["1.0", "1.1 gap", "1.2 gap", "1.3 gap", "2.0"])
        guard case .failed(let error)? = line.loss(of: MediaSequenceNumber(1)) else {
            Issue.record("the loss is not known")
            return
        }
        #expect(error is Failure)
        #expect(line.loss(of: MediaSequenceNumber(2)) == nil)
    }

    /// The thread that writes does not come back: those that come find out.
    @Test func aPartThatIsNotWrittenInTimeIsAGap() throws {
        var line = PartLine(patience: MediaTime(seconds: 1))
        let times = (0..<4 as Range<Int64>).map { MediaTime(milliseconds: $0 * 500) }
        for (index, time) in times[..<3].enumerated() { _ = line.add(Self.part(1, index), at: time, after: 0) }
        let next = line.next()
        let stuck = try #require(next)
        #expect(Self.publish(&line).isEmpty)
        #expect(line.add(Self.part(1, 3), at: times[3], after: 0) == PartLine.Work(mustPublish: true))
        #expect(Self.publish(&line) == ["1.0 gap", "1.1 gap", "1.2 gap", "1.3 gap"])
        _ = line.add(Self.part(2, 0), at: times[3], after: 0)
        // It comes too late.
        line.finish(.success(Self.written(stuck)))
        Self.write(&line)
        #expect(Self.publish(&line) == ["2.0"])
        guard case .late? = line.loss(of: MediaSequenceNumber(1)) else {
            Issue.record("the loss is not known")
            return
        }
    }

    @Test func aStoredFeedWaitsForItsWriter() {
        var line = PartLine(patience: nil)
        for index in 0..<100 { _ = line.add(Self.part(1, index), at: MediaTime(seconds: Int64(index)), after: 0) }
        Self.write(&line)
        #expect(Self.publish(&line).count == 100)
        #expect(line.loss(of: MediaSequenceNumber(1)) == nil)
    }

    @Test func aFloodOfPartsHasABound() {
        var line = PartLine(patience: nil)
        for slot in 1...100 as ClosedRange<Int64> {
            for index in 0..<100 { _ = line.add(Self.part(slot, index), at: .zero, after: 0) }
        }
        #expect(line.count == PartLine.capacity)
        #expect(line.loss(of: MediaSequenceNumber(100)) != nil)
        Self.write(&line)
        _ = Self.publish(&line)
        #expect(line.count == 0)
        _ = line.add(Self.part(101, 0), at: .zero, after: 0)
        Self.write(&line)
        #expect(Self.publish(&line) == ["101.0"])
    }

    // MARK: Writers

    /// A writer whose segments name the parts that it was given.
    private struct NamingWriter: SegmentWriter {
        let form: SegmentForm
        var parts: [MediaSequenceNumber: Int] = [:]

        mutating func write(_ contents: SegmentContents) throws -> PublishedSegment {
            let number = contents.cut.number
            var segment = PublishedSegment(gap: contents.cut)
            segment.content = .media(ByteBuffer(string: "\(form.format) \(number): \(parts[number] ?? 0)"))
            return segment
        }

        mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
            parts[part.cut.number, default: 0] += 1
            return PartLineTests.written(part)
        }
    }

    private typealias Segment = ChannelEngine.SlotDecision.Segment

    private static func segment(_ slot: Int64, _ format: SegmentFormat) -> Segment {
        let part = part(slot, 0, format)
        var contents = part.contents
        contents.cut.partCount = 2
        return Segment(id: part.id, form: part.form, contents: contents)
    }

    private static func written(_ segment: Segment, by writers: RenditionWriters) -> String? {
        let outcome = writers.begin(segment, of: segment.contents.cut.number)
        guard case .success(let segment)? = outcome?.wait(until: .distantFuture) else { return nil }
        return segment.media.map { String(buffer: $0) }
    }

    private func makeWriters(
        publish: @escaping @Sendable (PublishedPart, RenditionID) -> Void
    ) -> RenditionWriters {
        RenditionWriters(inParts: true, patience: nil, { form, _ in NamingWriter(form: form) }, publish: publish)
    }

    /// Parts of the next slot are told in another form before the segment of this one is joined.
    @Test func eachFormHasItsWriter() {
        let writers = makeWriters { _, _ in }
        let (old, new) = (SegmentFormat.fragmentedMP4, SegmentFormat.aac)
        for index in 0..<2 { writers.begin(Self.part(1, index, old), at: .zero, after: 0) }
        for index in 0..<2 { writers.begin(Self.part(2, index, new), at: .zero, after: 0) }
        let first = Self.segment(1, old)
        #expect(Self.written(first, by: writers) == "\(old) 1: 2")
        writers.keep([first], of: MediaSequenceNumber(1))
        let second = Self.segment(2, new)
        #expect(Self.written(second, by: writers) == "\(new) 2: 2")
        writers.keep([second], of: MediaSequenceNumber(2))
        #expect(Self.written(first, by: writers) == "\(old) 1: 0", "the first is forgotten")
    }

    /// A peer's window is taken over, or a rendition is new: it is not listed before the batch is carried out.
    @Test func partsComeAfterTheBatchThatListsTheirRendition() async throws {
        let newest = Atomic(0)
        let (stream, published) = AsyncStream<String>.makeStream()
        let writers = makeWriters { part, _ in
            published.yield("\(Self.text(part)) after \(newest.load(ordering: .relaxed))")
        }
        writers.begin(Self.part(1, 0), at: .zero, after: 0)
        for index in 0..<2 { writers.begin(Self.part(2, index), at: .zero, after: 3) }
        // They are written by then.
        #expect(Self.written(Self.segment(2, .fragmentedMP4), by: writers) == "\(SegmentFormat.fragmentedMP4) 2: 2")
        writers.begin(Self.part(3, 0), at: .zero, after: 4)
        for batch in 2...4 {
            newest.store(batch, ordering: .relaxed)
            writers.carriedOut(batch)
        }
        var iterator = stream.makeAsyncIterator()
        var found: [String?] = []
        for _ in 0..<4 { found.append(await iterator.next()) }
        #expect(found == ["1.0 after 0", "2.0 after 3", "2.1 after 3", "3.0 after 4"])
    }

    /// A thread that publishes parts may stand still, such as for a journal; the segment is another thread's.
    @Test(arguments: [false, true]) func aSegmentComesAfterItsParts(isGap: Bool) throws {
        let gate = Gate()
        gate.close()
        let count = Atomic(0)
        let writers = makeWriters { _, _ in
            gate.pass()
            count.add(1, ordering: .relaxed)
        }
        for index in 0..<2 { writers.begin(Self.part(1, index), at: .zero, after: 0) }
        var segment = Self.segment(1, .fragmentedMP4)
        if isGap { segment.contents.cut.samples = [] }
        let begun = writers.begin(segment, of: MediaSequenceNumber(1))
        let outcome = try #require(begun)
        let early = outcome.wait(until: .now() + .milliseconds(50))
        #expect(early == nil)
        gate.open()
        guard case .success(let written)? = outcome.wait(until: .distantFuture) else {
            Issue.record("it is not written")
            return
        }
        #expect((written.media == nil) == isGap)
        let published = count.load(ordering: .relaxed)
        #expect(published == 2)
    }

    @Test func whatIsStoppedPublishesNothing() {
        let published = Atomic(0)
        let writers = makeWriters { _, _ in
            published.add(1, ordering: .relaxed)
        }
        writers.stop()
        for index in 0..<2 { writers.begin(Self.part(1, index), at: .zero, after: 0) }
        _ = Self.written(Self.segment(1, .fragmentedMP4), by: writers)
        let count = published.load(ordering: .relaxed)
        #expect(count == 0)
    }

    @Test func theOrderOfDecisionsSaysWhatPartsWaitFor() {
        var slot = ChannelEngine.SlotDecision(
            number: MediaSequenceNumber(1),
            followsLeap: false,
            startsDiscontinuity: false,
            segments: [],
            withdrawn: [],
            keyClasses: [],
            notes: []
        )
        #expect(!ChannelEngine.Action.publish([slot]).isAwaitedByParts)
        slot.hasNewRenditions = true
        #expect(ChannelEngine.Action.publish([slot]).isAwaitedByParts)
        #expect(ChannelEngine.Action.takeOverPeer(at: .zero).isAwaitedByParts)
        #expect(!ChannelEngine.Action.end.isAwaitedByParts)
    }
}
