import MediaCore

extension OffsetMeter {
    /// The offsets by the latest matching pictures.
    struct Matches: Sendable {
        /// The number of pictures that must agree: half a second of video, and more than a few equal pictures by
        /// chance.
        static let enough = 12
        /// UTC is whole ticks and slewed apart by at most 0.2 ms at a time: by 2 ms all count as one.
        private static let tolerance = MediaTime(milliseconds: 2)

        private var offsets = InlineArray<32, MediaTime>(repeating: .zero)
        private var used = 0
        private var next = 0

        private(set) var newest: MediaTime?

        mutating func append(_ offset: MediaTime) {
            offsets[next] = offset
            next = (next + 1) % offsets.count
            used = min(used + 1, offsets.count)
            newest = offset
        }

        mutating func removeAll() {
            used = 0
            next = 0
            newest = nil
        }

        func count(near offset: MediaTime) -> Int {
            var count = 0
            for index in 0..<used where abs((offsets[index] - offset).ticks) <= Self.tolerance.ticks { count += 1 }
            return count
        }
    }
}
