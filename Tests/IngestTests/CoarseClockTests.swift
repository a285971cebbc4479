import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct CoarseClockTests {
    private static let milliseconds = TimestampUnit(numerator: 1, denominator: 1000, bits: 32)

    /// AAC-LC of 48 kHz, or 44.1 kHz, in stereo.
    private static func track(rate: Int = 48_000) -> InputTrack {
        InputTrack(index: 0, kind: .audio, codec: .aac, header: rate == 48_000 ? [0x11, 0x90] : [0x12, 0x10])
    }

    /// Reads frames that are said to begin at these milliseconds.
    private static func read(
        _ milliseconds: some Sequence<Int64>,
        rate: Int = 48_000,
        modulus: Int64? = nil
    ) throws -> [PacketInfo] {
        var clock = try #require(CoarseClock(track(rate: rate), unit: Self.milliseconds))
        let payload: [UInt8] = [0x21, 0x10]
        return milliseconds.map { time in
            var packet = PacketInfo(
                trackIndex: 0,
                presentationTimestamp: Timestamps.reduce(time * 90, modulus: modulus),
                decodeTimestamp: Timestamps.reduce(time * 90, modulus: modulus),
                duration: 21 * 90
            )
            clock.packetRead(&packet, payload: payload.span.bytes, modulus: modulus)
            return packet
        }
    }

    private static func steps(_ packets: [PacketInfo], modulus: Int64? = nil) -> [Int64] {
        let times = packets.compactMap(\.decodeTimestamp)
        return zip(times, times.dropFirst()).map { Timestamps.distance(from: $0, to: $1, modulus: modulus) }
    }

    /// The time when a frame begins, rounded as FFmpeg does, or as encoders do that cut the fraction off.
    private static func stated(_ frame: Int64, rate: Int64, phase: Double, rounded: Bool) -> Int64 {
        let time = Double(frame * 1024) * 1000 / Double(rate) + phase
        return Int64(rounded ? time.rounded() : time.rounded(.down))
    }

    @Test(arguments: [0, 0.2, 0.5, 0.9, 1234.7], [true, false])
    func framesAreAsLongAsTheirSamples(phase: Double, rounded: Bool) throws {
        let packets = try Self.read((0..<10_000).map { Self.stated($0, rate: 48_000, phase: phase, rounded: rounded) })
        #expect(packets.allSatisfy { $0.duration == 1_920 && $0.presentationTimestamp == $0.decodeTimestamp })
        #expect(Set(Self.steps(Array(packets.dropFirst(3)))) == [1_920])
        // Within a millisecond of what they are in truth.
        for (index, packet) in packets.enumerated() {
            let truth = Double(index) * 1_920 + phase * 90
            #expect(abs(Double(packet.decodeTimestamp ?? 0) - truth) <= 90)
        }
    }

    /// A tick of 90 kHz is no whole number of their samples: steps differ by one.
    @Test func framesOf44100HzDoNotDrift() throws {
        let packets = try Self.read(
            (0..<100_000).map { Self.stated($0, rate: 44_100, phase: 0.3, rounded: true) },
            rate: 44_100
        )
        #expect(Set(Self.steps(Array(packets.dropFirst(1_000)))) == [2_089, 2_090])
        let last = Double(packets.last?.decodeTimestamp ?? 0)
        #expect(abs(last - (99_999 * 1024 * 90_000 / 44_100 + 27)) <= 90)
    }

    /// The same frames have the same times, wherever reading begins.
    @Test func beginningLeavesNoTrace() throws {
        let stated = (0..<2_000).map { Self.stated($0, rate: 48_000, phase: 7.77, rounded: true) }
        let whole = try Self.read(stated).map(\.decodeTimestamp)
        for start in [1, 2, 3, 500] {
            #expect(try Self.read(stated[start...]).map(\.decodeTimestamp).dropFirst(3) == whole[(start + 3)...])
        }
    }

    /// Two frames are lost: what follows is where it was, within the rounding.
    @Test func gapsStay() throws {
        let stated = ([Int64](0..<50) + [Int64](52..<100)).map {
            Self.stated($0, rate: 48_000, phase: 0, rounded: true)
        }
        let steps = try Self.steps(Self.read(stated))
        let gap = try #require(steps.firstIndex { $0 > 2_100 })
        #expect(gap == 49)
        #expect(abs(steps[gap] - 3 * 1_920) <= 90)
        #expect(Set(steps[(gap + 3)...]) == [1_920])
    }

    /// Audio that is 500 ppm faster or slower than the clock that its timestamps are taken from.
    @Test(arguments: [-1, 1])
    func clockThatRunsOtherwiseIsFollowed(direction: Int64) throws {
        let stated = (Int64(0)..<50_000).map { frame -> Int64 in
            let time = Self.stated(frame, rate: 48_000, phase: 0, rounded: true)
            return time + direction * time / 2_000
        }
        let packets = try Self.read(stated)
        for (packet, time) in zip(packets, stated) {
            let lead = (packet.decodeTimestamp ?? 0) - time * 90
            #expect((0...180).contains(lead))
        }
    }

    @Test func timestampsThatGoBackAreBelieved() throws {
        let packets = try Self.read([5_000, 5_021, 5_043, 0, 21, 43])
        #expect(packets[3].decodeTimestamp == 0)
        #expect(packets[5].decodeTimestamp == 3_870)
    }

    @Test func timestampsWrap() throws {
        let modulus: Int64 = 90 << 32
        let packets = try Self.read(
            (0..<100).map { (1 << 32) - 1_000 + Self.stated($0, rate: 48_000, phase: 0, rounded: true) },
            modulus: modulus
        )
        #expect(packets.allSatisfy { (0..<modulus).contains($0.decodeTimestamp ?? -1) })
        #expect(Set(Self.steps(packets, modulus: modulus).dropFirst(3)) == [1_920])
    }

    @Test func onlyRoundedTimestampsOfFramesOfOneLengthAreChanged() {
        let exact = TimestampUnit(numerator: 1, denominator: 48_000, bits: 64)
        #expect(CoarseClock(Self.track(), unit: exact) == nil)
        #expect(CoarseClock(Self.track(), unit: TimestampUnit(numerator: 1, denominator: 90_000, bits: 33)) == nil)
        let video = InputTrack(index: 0, kind: .video, codec: .h264)
        #expect(CoarseClock(video, unit: Self.milliseconds) == nil)
        // Without a header nobody knows how long a frame is.
        let unknown = InputTrack(index: 0, kind: .audio, codec: .aac)
        #expect(CoarseClock(unknown, unit: Self.milliseconds) == nil)
    }
}
