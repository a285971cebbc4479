import MediaCore
import Testing

@testable import Drills

/// The effect of each fault on the bytes that arrive.
@Suite struct FaultTests {
    private static let clean = Result { try ReceivedFeed(until: .seconds(12)) }
    private let clean: ReceivedFeed

    init() throws {
        clean = try Self.clean.get()
    }

    private func key(_ unit: ReceivedFeed.Unit) -> [Int64] { [unit.presentation, unit.decode] }

    @Test func killedEncoderSendsNothing() throws {
        let items = try items([.init(.encoderKilled, at: .seconds(4))], until: .seconds(12))
        let before = clean.datagrams.filter { $0.time < .seconds(4) }
        #expect(items.datagrams == before)
        #expect(items.events.map(\.kind) == [.encoderStarted, .faultBegan(.encoderKilled), .encoderEnded])
    }

    @Test func killedEncoderComesBackOnTheSameTimeline() throws {
        let fault = ScheduledFault(.encoderKilled, at: .seconds(4), for: .seconds(3))
        let items = try items([fault], until: .seconds(12))
        let received = items.received
        let after = received.pictures.filter { $0.time >= .seconds(4) }
        let first = try #require(after.first)
        #expect(first.isKey)
        #expect(.seconds(7)...(.seconds(8.1)) ~= first.time)
        let expected = clean.pictures.drop { $0.presentation != first.presentation }
        #expect(zip(after, expected).allSatisfy { $0.payload == $1.payload && key($0) == key($1) })
        #expect(!received.datagrams.contains { .seconds(4)..<(.seconds(7)) ~= $0.time })
        #expect(
            items.events == [
                FeedEvent(time: .zero, kind: .encoderStarted),
                FeedEvent(time: .seconds(4), kind: .faultBegan(.encoderKilled)),
                FeedEvent(time: .seconds(4), kind: .encoderEnded),
                FeedEvent(time: .seconds(7), kind: .faultEnded(.encoderKilled)),
                FeedEvent(time: .seconds(7), kind: .encoderStarted),
            ]
        )
    }

    @Test(arguments: [false, true])
    func frozenEncoderRepeatsThePictureWithoutKeyFrames(freezesAudio: Bool) throws {
        let fault = ScheduledFault(.encoderFrozen(freezesAudio: freezesAudio), at: .seconds(4), for: .seconds(3))
        let received = try ReceivedFeed([fault], until: .seconds(12))
        #expect(received.continuityErrors.isEmpty)
        #expect(received.pictures.map(key).prefix(250) == clean.pictures.map(key).prefix(250))
        let frozen = received.pictures.filter { .seconds(4.05)..<(.seconds(6.95)) ~= $0.time }
        #expect(frozen.count > 70)
        #expect(Set(frozen.map(\.payload)).count == 1)
        #expect(!frozen.contains { $0.isKey })
        let before = received.pictures.filter { $0.time < .seconds(4) }.last { !$0.isKey }
        #expect(frozen.first?.payload == before?.payload)
        let thawed = received.pictures.filter { $0.time > .seconds(7.05) }
        #expect(zip(thawed, clean.pictures.filter { $0.time > .seconds(7.05) }).allSatisfy { $0.payload == $1.payload })
        let audio = received.units[Sample.audio[0]]?.filter { .seconds(4.05)..<(.seconds(6.95)) ~= $0.time }
        #expect((Set(audio?.map(\.payload) ?? []).count == 1) == freezesAudio)
    }

    @Test func stoppedPacketsAreMissingWhileTheEncoderRunsOn() throws {
        let fault = ScheduledFault(.packetsStop, at: .seconds(4), for: .seconds(3))
        let items = try items([fault], until: .seconds(12))
        let range = MediaTime.seconds(4)..<MediaTime.seconds(7)
        #expect(items.datagrams == clean.datagrams.filter { !range.contains($0.time) })
        #expect(items.droppedCount == clean.datagrams.count { range.contains($0.time) })
    }

    @Test func packetsThatStopForEverAreStillCounted() throws {
        let items = try items([.init(.packetsStop, at: .zero)], until: .seconds(3))
        #expect(items.datagrams.isEmpty)
        #expect(items.droppedCount > 50)
    }

    @Test(arguments: [0.001, 0.01, 0.05], [Fault.TransportUnit.datagrams, .packets])
    func lossKeepsItsRate(rate: Double, unit: Fault.TransportUnit) {
        let schedule = FeedSchedule([ScheduledFault(.loss(rate: rate, of: unit), at: .zero)])
        var faults = TransportFaults(schedule, seed: 7)
        let count = 20_000
        let lost = (0..<count).count { _ in
            switch unit {
            case .datagrams: faults.arrivals(of: Datagram(time: .zero, bytes: [])).isEmpty
            case .packets: !faults.passes(TimedPacket(time: .zero, bytes: []))
            }
        }
        // Four standard deviations.
        let tolerance = 4 * (rate * (1 - rate) / Double(count)).squareRoot()
        #expect(abs(Double(lost) / Double(count) - rate) < tolerance)
        #expect(lost > 0)
    }

    @Test func lossOfPacketsLeavesWholeDatagrams() throws {
        let fault = ScheduledFault(.loss(rate: 0.02, of: .packets), at: .zero)
        let items = try items([fault], until: .seconds(20), seed: 3)
        let received = items.received
        let sent = received.packets.count + items.droppedCount
        #expect(received.datagrams.allSatisfy { $0.bytes.count == Datagram.size })
        #expect(abs(Double(items.droppedCount) / Double(sent) - 0.02) < 0.006)
        // Those without payload are not counted, and two in a row are one error.
        #expect(received.continuityErrors.values.reduce(0, +) > items.droppedCount * 8 / 10)
    }

    @Test func lossOfEverythingEndsNothing() throws {
        let items = try items([.init(.loss(rate: 1, of: .packets), at: .zero)], until: .seconds(1.5))
        #expect(items.datagrams.isEmpty)
        #expect(items.droppedCount > 50)
    }

    @Test func chanceIsTheSeeds() throws {
        let fault = ScheduledFault(.loss(rate: 0.05, of: .datagrams), at: .zero)
        let one = try items([fault], until: .seconds(5), seed: 1)
        #expect(try one == items([fault], until: .seconds(5), seed: 1))
        #expect(try one != items([fault], until: .seconds(5), seed: 2))
    }

    @Test func reorderedDatagramsAreOvertakenByTheDistance() throws {
        let fault = ScheduledFault(.reordering(rate: 0.05, distance: 3), at: .zero)
        var faults = TransportFaults(FeedSchedule([fault]), seed: 5)
        let arrived = (0..<2000).flatMap { number in
            faults.arrivals(of: Datagram(time: MediaTime(ticks: number), bytes: number.bytes)).map { Int64($0.bytes) }
        }
        #expect(Set(arrived).count == arrived.count)
        #expect(arrived.count >= 1997)
        var late = 0
        for (place, number) in arrived.enumerated() {
            let overtakers = arrived[..<place].suffix(10).count { $0 > number }
            if overtakers > 0 { late += 1 }
            // Of those three some may have been held themselves.
            #expect(0...3 ~= overtakers)
        }
        #expect(abs(Double(late) / 2000 - 0.05) < 0.02)
    }

    @Test func duplicatedDatagramsComeTwiceInARow() throws {
        let fault = ScheduledFault(.duplication(rate: 0.1), at: .zero)
        let arrived = try items([fault], until: .seconds(12)).datagrams
        let doubles = zip(arrived, arrived.dropFirst()).count { $0 == $1 }
        #expect(arrived.count == clean.datagrams.count + doubles)
        #expect(abs(Double(doubles) / Double(clean.datagrams.count) - 0.1) < 0.04)
        var once: [Datagram] = []
        for datagram in arrived where once.last != datagram { once.append(datagram) }
        #expect(once == clean.datagrams)
    }

    @Test func stalledDatagramsBurst() throws {
        let fault = ScheduledFault(.stall, at: .seconds(4), for: .seconds(3))
        let arrived = try items([fault], until: .seconds(12)).datagrams
        #expect(arrived.map(\.bytes) == clean.datagrams.map(\.bytes))
        for (late, prompt) in zip(arrived, clean.datagrams) {
            let isHeld = MediaTime.seconds(4)..<MediaTime.seconds(7) ~= prompt.time
            #expect(late.time == (isHeld ? .seconds(7) : prompt.time))
        }
    }

    @Test(arguments: [10, -10] as [Int64])
    func timestampsJumpAndStay(seconds: Int64) throws {
        let step = MediaTime(seconds: seconds)
        let received = try ReceivedFeed([.init(.timestampJump(by: step), at: .seconds(4))], until: .seconds(12))
        #expect(received.continuityErrors.isEmpty)
        for (unit, original) in zip(received.pictures, clean.pictures) {
            let shift = original.time < .seconds(4) ? 0 : step.ticks
            #expect(unit.payload == original.payload)
            #expect(ReceivedFeed.distance(from: original.decode, to: unit.decode) == shift)
            #expect(ReceivedFeed.distance(from: original.presentation, to: unit.presentation) == shift)
        }
        for (clock, original) in zip(received.clockReferences, clean.clockReferences) where clock.time > .seconds(4.1) {
            #expect(ReceivedFeed.distance(from: original.clock, to: clock.clock) == step.ticks)
        }
    }

    @Test(arguments: [FeedClock.utc, .starting(at: 0)])
    func timestampsWrapWhenScheduled(clock: FeedClock) throws {
        let received = try ReceivedFeed([.init(.timestampWrap, at: .seconds(4))], clock: clock, until: .seconds(8))
        let wrapped = try #require(received.pictures.first { $0.decode < 1 << 32 })
        #expect(wrapped.decode < 3600)
        #expect(.seconds(4)...(.seconds(4.1)) ~= wrapped.time)
        #expect(Set(received.steps(\.decode, of: Sample.video)) == [3600])
        #expect(received.continuityErrors.isEmpty)
    }

    @Test(arguments: [10_000, -10_000] as [Int64])
    func driftStaysWhenItIsOver(partsPerMillion: Int64) throws {
        let fault = ScheduledFault(.clockDrift(partsPerMillion: partsPerMillion), at: .seconds(4), for: .seconds(10))
        let pictures = try ReceivedFeed([fault], until: .seconds(20)).pictures
        func meanAge(_ range: Range<MediaTime>) -> Int64 {
            let ages = pictures.filter { range.contains($0.time) }
                .map { ReceivedFeed.distance(from: $0.decode, to: someUTC.ticks + $0.time.ticks) }
            return ages.reduce(0, +) / Int64(ages.count)
        }
        let change = meanAge(.seconds(15)..<(.seconds(19))) - meanAge(.zero..<(.seconds(4)))
        // 1 % of 10 s; a fast clock's pictures come too early.
        #expect(abs(change + partsPerMillion * 9 / 10) < 500)
    }

    @Test func driftKeepsClockReferencesAndTimestampsTogether() throws {
        let received = try ReceivedFeed([.init(.clockDrift(partsPerMillion: 5000), at: .zero)], until: .seconds(20))
        let clocks = received.clockReferences
        let (first, last) = try (#require(clocks.first), #require(clocks.last))
        let elapsed = Double(last.time.ticks - first.time.ticks)
        #expect(abs(Double(last.clock - first.clock) / elapsed - 1.005) < 0.001)
        #expect(Set(received.steps(\.decode, of: Sample.video)) == [3600])
    }

    @Test func restartedEncoderHasNewTimestamps() throws {
        let faults = [8.0, 4].map { ScheduledFault(.restart, at: .seconds($0), for: .seconds(1)) }
        let received = try ReceivedFeed(faults, until: .seconds(12))
        let starts = try [0.0, 5, 9].map { start in
            try #require(received.pictures.first { $0.time >= .seconds(start) })
        }
        #expect(starts.allSatisfy { $0.isKey })
        let bases = starts.map { ($0.presentation - $0.time.ticks) & (Timestamps.transportStreamModulus - 1) }
        #expect(abs(ReceivedFeed.distance(from: bases[0], to: bases[1])) > 90_000 * 60)
        #expect(abs(ReceivedFeed.distance(from: bases[1], to: bases[2])) > 90_000 * 60)
        #expect(try ReceivedFeed(faults, until: .seconds(12)).pictures == received.pictures)
    }

    @Test func changeToTheSameSampleChangesNothing() throws {
        let fault = ScheduledFault(.configurationChange(samplePath: "same"), at: .seconds(4), for: .seconds(3))
        let received = try ReceivedFeed([fault], until: .seconds(12), alternates: ["same": try Sample.feed()])
        #expect(received.bytes == clean.bytes)
    }

    @Test func lostAudioTrackIsStillInTheProgramMap() throws {
        let fault = ScheduledFault(.audioLost(track: 1), at: .seconds(4), for: .seconds(3))
        let received = try ReceivedFeed([fault], until: .seconds(12))
        let range = MediaTime.seconds(4.1)..<MediaTime.seconds(7)
        #expect(received.units[Sample.audio[1]]?.contains { range.contains($0.time) } == false)
        #expect(zip(received.pictures, clean.pictures).allSatisfy { key($0) == key($1) })
        #expect(received.pictures.count > 250)
        #expect(received.continuityErrors.isEmpty)
        let maps = Set(received.packets.filter { $0.packet.pid == 0x1000 }.compactMap(\.packet.payload))
        #expect(maps.count == 1)
    }

    @Test func allAudioIsLost() throws {
        let received = try ReceivedFeed([.init(.audioLost(track: nil), at: .seconds(4))], until: .seconds(8))
        for pid in Sample.audio {
            #expect(received.units[pid]?.contains { $0.time > .seconds(4.1) } == false)
        }
        #expect(received.pictures.contains { $0.time > .seconds(7) })
    }

    @Test func lostVideoLeavesAudioTablesAndClock() throws {
        let received = try ReceivedFeed([.init(.videoLost, at: .seconds(4))], until: .seconds(12))
        #expect(received.pictures.last?.time ?? .zero < .seconds(4.1))
        #expect(
            received.units[Sample.audio[0]]?.prefix(400).map(key) == clean.units[Sample.audio[0]]?.prefix(400).map(key)
        )
        #expect(received.clockReferences.last?.time ?? .zero > .seconds(11.8))
        #expect(received.packets.last { $0.packet.pid == 0 }?.time ?? .zero > .seconds(11.8))
    }

    @Test func everyFaultHasItsName() {
        let faults: [Fault] = [
            .encoderKilled, .encoderFrozen(freezesAudio: true), .sourceFrozen, .sourceSilent, .packetsStop,
            .loss(rate: 0, of: .packets),
            .reordering(rate: 0, distance: 1), .duplication(rate: 0), .stall, .timestampJump(by: .zero),
            .timestampWrap, .clockDrift(partsPerMillion: 0), .restart, .configurationChange(samplePath: ""),
            .audioLost(track: nil), .videoLost,
        ]
        #expect(faults.map(\.name) == Fault.names)
    }
}

extension Int64 {
    fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }

    fileprivate init(_ bytes: [UInt8]) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
