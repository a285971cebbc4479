import ContentProtection
import Foundation
import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// Parts on the way from the engine to the presentation, on the threads of the product.
@Suite(.timeLimit(.minutes(5))) struct PartsOnAirTests {
    private static let video: RenditionID = "video-180p"
    private static let audio: RenditionID = "audio"

    /// A channel with parts of half a second, and its feed.
    private struct Run {
        let log = PartLog()
        let fixture: ChannelFixture
        private let input: ChannelInput
        private let feed = ChannelFeed()

        init(journal: HeldJournal? = nil, makeWriter: RenditionWriter.Factory? = nil) {
            var consumers: [any PublicationConsumer] = [log]
            if let journal { consumers.append(journal) }
            fixture = ChannelFixture(
                consumers: consumers,
                horizon: .part(duration: MediaTime(milliseconds: 500)),
                makeWriter: makeWriter,
                isInline: false
            )
            input = fixture.channel.makeInput(.input(0), pace: .live)
            feed.open(input)
        }

        /// Sends a range of milliseconds live.
        ///
        /// After each half second it waits for the parts that are due by then, but for one, and for the slot before theirs:
        /// the clock is moved by hand, while writers and publications need time of the machine's. It may not run ahead of
        /// them, for parts are late by it, and a presentation refuses those of a third slot that is not over.
        func show(
            _ range: Range<Int64>,
            awaiting ids: [RenditionID] = [PartsOnAirTests.video, PartsOnAirTests.audio]
        ) async throws {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 500) {
                let end = min(start + 500, range.upperBound)
                feed.sendLive(start..<end, at: start, to: input, of: fixture)
                // A channel begins with a whole slot.
                guard end >= 5_000 else { continue }
                let due = Epoch.at(end - 700)
                let over = "\((end - 700) / 4_000 - 1)"
                _ = try await eventually(within: 60, "parts until \(end) ms") { [log, fixture] in
                    let window = fixture.window(PartsOnAirTests.video)
                    guard window.contains(over) else { throw Missing(description: "\(over) is not among \(window)") }
                    guard let id = ids.first(where: { id in log[id].end.map { $0 < due } ?? true }) else { return true }
                    throw Missing(description: "\(id) has \(log[id].entries.suffix(12))")
                }
            }
        }

        func expectListed(_ slot: String, of id: RenditionID) async throws {
            _ = try await eventually(within: 60, "\(id) has \(slot)") { [fixture] in
                fixture.window(id).last == slot ? true : nil
            }
        }
    }

    /// The reason why a part is waited for.
    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Writes all but one part.
    private struct FailingWriter: SegmentWriter {
        var writer: RenditionPackager
        let failure: (slot: Int64, index: Int)?

        struct Failure: Error {}

        mutating func write(_ contents: SegmentContents) throws -> PublishedSegment { try writer.write(contents) }

        mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
            if let failure, failure == (part.cut.number.value - Epoch.slot.value, part.index) { throw Failure() }
            return try writer.write(part)
        }
    }

    /// Needs time for the last part of a slot that is a gap, as where threads hardly get a processor.
    private struct SlowWriter: SegmentWriter {
        var writer: RenditionPackager

        mutating func write(_ contents: SegmentContents) throws -> PublishedSegment { try writer.write(contents) }

        mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
            if part.isLast, part.contents.isGap { Thread.sleep(forTimeInterval: 0.1) }
            return try writer.write(part)
        }
    }

    /// The input dies in the midst of a slot.
    @Test func aGapComesAfterItsParts() async throws {
        let run = Run { form, id in
            SlowWriter(writer: RenditionPackager(form, id: id, encryption: .none, keys: KeyStore()))
        }
        try await run.show(0..<10_500)
        for time in stride(from: 10_500, to: 16_000, by: 100) as StrideTo<Int64> {
            run.fixture.clock.set(Epoch.at(time))
            run.fixture.channel.timeAdvanced()
            // The clock, which is moved by hand, must not run ahead of the threads that write.
            let due = min(Epoch.at(time - 2_000), Epoch.at(11_500))
            _ = try await eventually(within: 60, "parts at \(time) ms") { [log = run.log] in
                [Self.video, Self.audio].allSatisfy { id in log[id].end.map { $0 >= due } ?? false } ? true : nil
            }
        }
        try await run.expectListed("2 gap", of: Self.video)
        for id in [Self.video, Self.audio] {
            let published = run.log[id]
            #expect(published.parts(of: 2).contains { !$0.hasSuffix("gap") })
            let end = try #require(published.ends[MediaSequenceNumber(Epoch.slot.value + 2)])
            #expect(end.parts != nil && end.parts == end.segment, "\(published.entries)")
        }
    }

    @Test func partsComeBeforeTheirSegmentAndAreTheSegment() async throws {
        let run = Run()
        try await run.show(0..<21_000)
        try await run.expectListed("4", of: Self.video)
        for id in [Self.video, Self.audio] {
            let published = run.log[id]
            #expect(run.fixture.window(id) == ["0", "1", "2", "3", "4"])
            for slot in 2...4 as ClosedRange<Int64> {
                let parts = published.parts(of: slot)
                #expect(parts.count >= 8 && parts == parts.indices.map { "\(slot).\($0)" })
                let last = try #require(published.entries.lastIndex { $0.hasPrefix("\(slot).") })
                let segment = try #require(published.entries.firstIndex(of: "\(slot)"))
                #expect(last < segment)
                let number = MediaSequenceNumber(Epoch.slot.value + slot)
                #expect(published.segments[number] != nil && published.segments[number] == published.joined[number])
            }
        }
    }

    /// Audio stands still for five seconds: pictures go on, and players are told of gaps in audio while it does.
    @Test func aWriterThatStandsStillHoldsUpNoOther() async throws {
        let gate = Gate()
        defer { gate.open() }
        let run = Run { form, id in
            let writer = RenditionPackager(form, id: id, encryption: .none, keys: KeyStore())
            return HeldWriter(writer: writer, gate: form.kind == .audio ? gate : nil)
        }
        try await run.show(0..<9_000)
        gate.close()
        try await run.show(9_000..<14_000, awaiting: [Self.video])
        try await run.expectListed("2", of: Self.video)
        try await run.expectListed("2 gap", of: Self.audio)
        let told = run.log[Self.audio].parts(of: 2)
        let media = told.prefix { !$0.hasSuffix("gap") }
        #expect(media.count < told.count && told.dropFirst(media.count).allSatisfy { $0.hasSuffix("gap") })
        #expect(!run.log[Self.video].entries.contains { $0.hasSuffix("gap") })
        #expect(gate.waiting == 1, "it still stands still")
        _ = try await eventually(within: 60, "the engine knows") { [fixture = run.fixture] in
            fixture.channel.engine.watches.repairs.totals[RepairLog.unpublishableSegment] == 1 ? true : nil
        }
        gate.open()
        _ = try await eventually(within: 60, "nobody waits at the gate") { gate.waiting == 0 ? true : nil }
        try await run.show(14_000..<25_000)
        try await run.expectListed("5", of: Self.audio)
        #expect(run.fixture.window(Self.audio).suffix(2) == ["4", "5"])
        #expect(run.fixture.window(Self.video) == ["0", "1", "2", "3", "4", "5"])
    }

    @Test func aPartThatCannotBeWrittenIsAGapAndSoIsTheRestOfItsSlot() async throws {
        let run = Run { form, id in
            let writer = RenditionPackager(form, id: id, encryption: .none, keys: KeyStore())
            return FailingWriter(writer: writer, failure: form.kind == .audio ? (2, 3) : nil)
        }
        try await run.show(0..<17_000)
        try await run.expectListed("3", of: Self.audio)
        let told = run.log[Self.audio].parts(of: 2)
        #expect(told.prefix(4) == ["2.0", "2.1", "2.2", "2.3 gap"])
        #expect(told.count >= 8 && told.dropFirst(3).allSatisfy { $0.hasSuffix("gap") })
        #expect(run.fixture.window(Self.audio) == ["0", "1", "2 gap", "3"])
        #expect(run.fixture.window(Self.video) == ["0", "1", "2", "3"])
        #expect(!run.log[Self.audio].parts(of: 3).contains { $0.hasSuffix("gap") })
        #expect(run.fixture.channel.engine.watches.repairs.totals[RepairLog.unpublishableSegment] == 1)
    }

    @Test func aPartWaitsForNoDisk() async throws {
        let gate = Gate()
        defer { gate.open() }
        let run = Run(journal: HeldJournal(gate: gate))
        try await run.show(0..<9_000)
        try await run.expectListed("1", of: Self.video)
        gate.close()
        try await run.show(9_000..<13_000)
        _ = try await eventually(within: 60, "the disk stands still") { gate.waiting == 1 ? true : nil }
        try await run.show(13_000..<17_000)
        for id in [Self.video, Self.audio] {
            let parts = run.log[id].parts(of: 3)
            #expect(parts.count >= 8 && parts == parts.indices.map { "3.\($0)" })
        }
        try await run.expectListed("3", of: Self.video)
        #expect(gate.waiting == 1)
    }
}
