import Playlists

/// Measures a rendition over its first segments, then holds still: players do not read the playlist again.
struct BandwidthMeter: Hashable, Sendable {
    /// Segments that are measured.
    static let sampleCount = 3

    /// Seconds.
    private let targetDuration: Int
    private var segments = 0
    private var bytes = 0
    private var microseconds = 0
    private var peak = 0

    init(targetDuration: Int) {
        self.targetDuration = targetDuration
    }

    mutating func add(byteCount: Int, duration: SegmentDuration) {
        let length = Int(duration.microseconds)
        guard segments < Self.sampleCount, length > 0 else { return }
        segments += 1
        bytes += byteCount
        microseconds += length
        // RFC 8216bis § 4.1: the peak is taken over runs of at least half a target duration.
        if length * 2 >= targetDuration * 1_000_000 { peak = max(peak, Self.rate(byteCount, in: length)) }
    }

    /// Nil before the first segment.
    var bandwidth: Bandwidth? {
        guard microseconds > 0 else { return nil }
        let average = Self.rate(bytes, in: microseconds)
        return Bandwidth(peak: max(peak, average), average: average)
    }

    /// Bits a second, rounded up.
    private static func rate(_ bytes: Int, in microseconds: Int) -> Int {
        (bytes * 8_000_000 + microseconds - 1) / microseconds
    }
}

extension BandwidthMeter: Codable {
    private enum CodingKeys: String, CodingKey {
        case targetDuration, segments, bytes, microseconds, peak
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        targetDuration = try container.decode(Int.self, in: 1...1_000_000, forKey: .targetDuration)
        segments = try container.decode(Int.self, in: 0...Self.sampleCount, forKey: .segments)
        bytes = try container.decode(Int.self, in: 0...1 << 38, forKey: .bytes)
        microseconds = try container.decode(Int.self, in: 0...1 << 42, forKey: .microseconds)
        peak = try container.decode(Int.self, in: 0...1 << 50, forKey: .peak)
    }
}
