import MediaCore
import Playlists

/// Measures the bit rate of a rendition for as long as it is published.
///
/// The declared values only grow, except the average before the first block is whole.
///
/// Players do not read the multivariant playlist again, but those that come later gain. The result depends on the
/// published slots alone: averages are taken over blocks of slots at fixed places of the grid. So two packagers of one
/// feed agree on every block that both have seen.
package struct BandwidthMeter: Hashable, Sendable {
    /// Bytes, and the duration that they play.
    private struct Load: Hashable {
        var bytes = 0
        var microseconds = 0

        /// Bits a second, rounded up.
        var rate: Int {
            let microbits = Int128(bytes) * 8_000_000
            return Int(min((microbits + Int128(microseconds) - 1) / Int128(max(1, microseconds)), Int128(most)))
        }

        /// Returns true if `lhs` has counted more than `rhs` of the same slots.
        static func isFuller(_ lhs: Self, than rhs: Self) -> Bool {
            (lhs.microseconds, lhs.bytes) > (rhs.microseconds, rhs.bytes)
        }

        static func + (lhs: Self, rhs: Self) -> Self {
            Load(bytes: min(lhs.bytes + rhs.bytes, most), microseconds: min(lhs.microseconds + rhs.microseconds, most))
        }
    }

    /// A petabyte, a petabit a second, or 35 years: no count goes beyond.
    private static let most = 1 << 50

    /// Consecutive slots of the grid that had media.
    private struct Block: Hashable {
        var number: Int64
        var slots: Int64 = 0
        var load = Load()
    }

    private struct Segment: Hashable {
        var slot: MediaSequenceNumber
        var load: Load
    }

    /// The target duration, in seconds.
    private let targetDuration: Int
    /// Bits a second of the heaviest run of segments.
    private var peak = 0
    /// Bits a second of the heaviest block; nil until one is whole.
    private var average: Int?
    /// The load of all segments, until a block is whole.
    private var start = Load()
    /// The block that is being filled.
    private var block: Block?
    /// The newest segment.
    private var last: Segment?

    init(targetDuration: Int) {
        self.targetDuration = targetDuration
    }

    /// The number of slots in a block: as many target durations as fit into 90 s.
    private var blockLength: Int64 { max(1, 90 / Int64(targetDuration)) }

    mutating func add(byteCount: Int, duration: SegmentDuration, slot: MediaSequenceNumber) {
        let load = Load(bytes: byteCount, microseconds: Int(duration.microseconds))
        guard load.microseconds > 0 else { return }
        takePeak(load, slot)
        if average == nil { start = start + load }
        let number = slot.value / blockLength
        var block = block.flatMap { $0.number == number ? $0 : nil } ?? Block(number: number)
        block.slots += 1
        block.load = block.load + load
        self.block = block
        guard block.slots == blockLength else { return }
        average = max(average ?? 0, block.load.rate)
        start = Load()
    }

    /// Raises the peak by a new segment: it is taken over runs of half a target duration to one and a half (RFC 8216bis
    /// § 4.1).
    private mutating func takePeak(_ load: Load, _ slot: MediaSequenceNumber) {
        let half = targetDuration * 500_000
        var runs = [load]
        // With two segments that are each long enough, one is at least as heavy as both together.
        if let last, last.slot.next == slot, min(last.load.microseconds, load.microseconds) < half {
            runs.append(last.load + load)
        }
        for run in runs where (half...half * 3).contains(run.microseconds) { peak = max(peak, run.rate) }
        last = Segment(slot: slot, load: load)
    }

    /// The measured bandwidth; nil before the first segment.
    var bandwidth: Bandwidth? {
        guard let average = average ?? (start.microseconds > 0 ? start.rate : nil) else { return nil }
        return Bandwidth(peak: max(peak, average), average: average)
    }

    /// Returns this meter raised by the values that another one has measured of the same feed.
    ///
    /// Two meters that are raised to each other agree.
    func raised(to other: BandwidthMeter) -> BandwidthMeter {
        var meter = self
        meter.peak = max(peak, other.peak)
        if let average = other.average { meter.average = max(self.average ?? 0, average) }
        // While no block is whole, the start that has counted more is used, if both have come to the same slot.
        if meter.average == nil, last?.slot == other.last?.slot, Load.isFuller(other.start, than: start) {
            meter.start = other.start
        }
        return meter
    }

    /// True if a peer can have measured it: no stream has ten gigabits a second.
    var isCredible: Bool {
        [peak, average ?? 0, start.rate].allSatisfy { $0 <= 10_000_000_000 }
    }
}

extension BandwidthMeter: Codable {
    private enum CodingKeys: String, CodingKey {
        case targetDuration, bytes, microseconds, peak, average
        /// Number, slots, bytes, microseconds.
        case block
        /// Slot, bytes, microseconds.
        case last
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        targetDuration = try container.decode(Int.self, in: 1...1_000_000, forKey: .targetDuration)
        start.bytes = try container.decode(Int.self, in: Self.sensible, forKey: .bytes)
        start.microseconds = try container.decode(Int.self, in: Self.sensible, forKey: .microseconds)
        peak = try container.decode(Int.self, in: Self.sensible, forKey: .peak)
        average = try container.decodeIfPresent(Int.self, forKey: .average)
        try container.check(average.map(Self.sensible.contains) ?? true, .average)
        if let values = try container.decodeIfPresent([Int].self, forKey: .block) {
            try container.check(values.count == 4 && values.allSatisfy(Self.sensible.contains), .block)
            let load = Load(bytes: values[2], microseconds: values[3])
            block = Block(number: Int64(values[0]), slots: Int64(values[1]), load: load)
        }
        if let values = try container.decodeIfPresent([Int].self, forKey: .last) {
            try container.check(values.count == 3 && values.allSatisfy(Self.sensible.contains), .last)
            let load = Load(bytes: values[1], microseconds: values[2])
            last = Segment(slot: MediaSequenceNumber(Int64(values[0])), load: load)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(targetDuration, forKey: .targetDuration)
        try container.encode(start.bytes, forKey: .bytes)
        try container.encode(start.microseconds, forKey: .microseconds)
        try container.encode(peak, forKey: .peak)
        try container.encodeIfPresent(average, forKey: .average)
        let block = block.map { [Int($0.number), Int($0.slots), $0.load.bytes, $0.load.microseconds] }
        try container.encodeIfPresent(block, forKey: .block)
        let last = last.map { [Int($0.slot.value), $0.load.bytes, $0.load.microseconds] }
        try container.encodeIfPresent(last, forKey: .last)
    }

    /// The values from outside that cannot overflow any arithmetic.
    private static let sensible = 0...most
}
