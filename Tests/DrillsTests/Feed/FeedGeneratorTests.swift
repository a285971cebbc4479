import MediaCore
import Testing

@testable import Drills

/// Without faults.
@Suite struct FeedGeneratorTests {
    private static let wrap = Timestamps.transportStreamModulus
    private static let read = Result { try ReceivedFeed(until: .seconds(20)) }
    private let feed: ReceivedFeed

    init() throws {
        feed = try Self.read.get()
    }

    @Test func datagramsHoldSevenPackets() throws {
        let received = try ReceivedFeed(until: .seconds(2))
        #expect(received.datagrams.allSatisfy { $0.bytes.count == 1316 })
        #expect(received.packets.count == received.datagrams.count * 7)
    }

    @Test func timesNeverRunBackwards() throws {
        let times = try items(until: .seconds(5)).map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func continuityCountersRunOn() throws {
        #expect(feed.continuityErrors.isEmpty)
    }

    @Test func tablesComeEvery100Milliseconds() throws {
        for pid: UInt16 in [0, 0x1000] {
            let times = feed.packets.filter { $0.packet.pid == pid }.map(\.time)
            // A packet waits for the rest of its datagram.
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < .seconds(0.125) })
            #expect(times.count >= 190)
        }
        #expect(feed.packets.first?.packet.pid == 0)
        #expect(feed.packets.dropFirst().first?.packet.pid == 0x1000)
    }

    @Test func clockReferencesComeEvery20Milliseconds() throws {
        let clocks = feed.clockReferences.map(\.clock)
        #expect(Set(zip(clocks, clocks.dropFirst()).map { ReceivedFeed.distance(from: $0, to: $1) }) == [1800])
    }

    @Test func everyUnitIsThereBeforeItIsDecodedAndNotLongBefore() throws {
        let clocks = feed.clockReferences
        var place = 0
        for picture in feed.pictures {
            while place + 1 < clocks.count, clocks[place + 1].time <= picture.time { place += 1 }
            // To be decoded 0.5 s after its first packet was sent; datagrams wait for their last packet.
            #expect(43_000...47_000 ~= ReceivedFeed.distance(from: clocks[place].clock, to: picture.decode))
        }
    }

    @Test func nothingBursts() throws {
        let datagrams = feed.datagrams.filter { $0.time > .seconds(2) }
        let loads = Dictionary(grouping: datagrams) { $0.time.milliseconds / 40 }.mapValues { $0.count * Datagram.size }
        // The largest picture has 9511 bytes; two audio tracks, tables and clock come with it.
        #expect(loads.values.max() ?? 0 < 14_000)
    }

    @Test func pictureOfTimeDependsOnTimeOnly() throws {
        let sample = try Sample.feed()
        let pictures = feed.pictures
        for picture in pictures {
            // The wrap of this UTC.
            let wraps = (someUTC.ticks >> 33) << 33
            let presentation = MediaTime(ticks: wraps + picture.presentation)
            let place = presentation.ticks % sample.period.ticks
            let unit = sample.streams[0].units.first { $0.presentationTime.ticks == place }
            #expect(unit?.payload == picture.payload)
            #expect(unit?.isKey == picture.isKey)
        }
    }

    @Test func noPictureIsSentBeforeItIsTaken() throws {
        for picture in feed.pictures {
            let utc = (someUTC + picture.time).ticks & (Self.wrap - 1)
            let age = ReceivedFeed.distance(from: picture.presentation, to: utc)
            // The sample's reordering is 160 ms; datagrams wait for their last packet.
            #expect(0...18_000 ~= age)
        }
    }

    @Test func startsWithAKeyFrameAndAudioThatGoesWithIt() throws {
        let received = try ReceivedFeed(until: .seconds(3))
        let first = try #require(received.pictures.first)
        #expect(first.isKey)
        #expect(first.time < .seconds(1.3))
        for pid in Sample.audio {
            let audio = try #require(received.units[pid]?.first)
            #expect(0..<1920 ~= ReceivedFeed.distance(from: first.presentation, to: audio.presentation))
        }
    }

    @Test func roundsFollowWithoutASeam() throws {
        let received = try ReceivedFeed(clock: .starting(at: 900_000), until: .seconds(20))
        #expect(received.pictures.first?.presentation == 900_000)
        #expect(received.pictures.count >= 490)
        #expect(Set(received.steps(\.decode, of: Sample.video)) == [3600])
        for pid in Sample.audio {
            #expect(received.units[pid]?.count ?? 0 >= 920)
            #expect(Set(received.steps(\.presentation, of: pid)) == [1920])
        }
        let keys = received.pictures.filter(\.isKey).map(\.presentation)
        let expected = keys.indices.map { 900_000 + Int64($0) * 90_000 }
        #expect(keys == expected)
        let units = try Sample.feed().streams[0].units
        for (index, picture) in received.pictures.enumerated() {
            #expect(picture.payload == units[index % 200].payload)
        }
    }

    @Test func timestampsWrapAt33Bits() throws {
        let received = try ReceivedFeed(clock: .starting(at: Self.wrap - 5 * 90_000), until: .seconds(10))
        let presentations = received.pictures.map(\.presentation).sorted()
        #expect(presentations.first == 0)
        #expect(presentations.last == Self.wrap - 3600)
        #expect(Set(received.steps(\.decode, of: Sample.video)) == [3600])
        #expect(Set(received.steps(\.presentation, of: Sample.audio[0])) == [1920])
        let clocks = received.clockReferences.map(\.clock)
        #expect(Set(zip(clocks, clocks.dropFirst()).map { ReceivedFeed.distance(from: $0, to: $1) }) == [1800])
        #expect(clocks.contains { $0 < 90_000 } && clocks.contains { $0 > Self.wrap - 90_000 })
    }

    @Test(arguments: [0.5, 3.04, 11.999])
    func encodersThatStartAtDifferentTimesAgree(later: Double) throws {
        let one = feed
        let other = try ReceivedFeed(
            utc: someUTC - .seconds(1000),
            from: .seconds(1000 + later),
            until: .seconds(1020)
        )
        for pid in [Sample.video] + Sample.audio {
            var (units, others) = (one.units[pid] ?? [], other.units[pid] ?? [])
            let first = try #require(others.first)
            let start = try #require(units.firstIndex { $0.presentation == first.presentation })
            units.removeFirst(start)
            let count = min(units.count, others.count)
            #expect(count > 150)
            for index in units.indices { units[index].time = .zero }
            for index in others.indices { others[index].time = .zero }
            #expect(units.prefix(count) == others.prefix(count))
        }
    }

    @Test func isTheSameInEveryRun() throws {
        let (one, other) = (try items(until: .seconds(3)), try items(until: .seconds(3)))
        #expect(one == other)
    }

    @Test func latencyDelaysWhatIsSentAndNothingElse() throws {
        func pictures(latency: MediaTime) throws -> [ReceivedFeed.Unit] {
            let configuration = FeedConfiguration(sample: try Sample.feed(), latency: latency)
            var generator = FeedGenerator(configuration, utc: .zero)
            var items: [FeedItem] = []
            while let item = generator.next(), item.time < .seconds(4) { items.append(item) }
            return items.received.pictures
        }
        let (prompt, late) = (try pictures(latency: .zero), try pictures(latency: .seconds(1)))
        #expect(late.first?.presentation == 0)
        #expect(zip(prompt, late).allSatisfy { $0.payload == $1.payload && $0.presentation == $1.presentation })
        let delay = try #require(late.first).time - (try #require(prompt.first).time)
        #expect(abs(delay.milliseconds - 1000) < 20)
    }
}
