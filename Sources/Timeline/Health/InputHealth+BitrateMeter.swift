import MediaCore

extension InputHealth {
    /// The bit rate of the last seconds, and the usual one.
    struct BitrateMeter: Sendable {
        private var bytes = SlidingSum(bucket: leastBucket, count: buckets)
        private var openedAt = MediaTime.zero
        /// Bit/s; nil before the first whole window.
        private(set) var usual: Int?

        private static let buckets = 10
        private static let leastBucket = MediaTime(milliseconds: 500)

        mutating func restart(at now: MediaTime) {
            bytes = SlidingSum(bucket: Self.leastBucket, count: Self.buckets)
            openedAt = now
            usual = nil
        }

        /// A packet arrived; a usual silence is at most a fifth of the window, so that it does not look like a fall.
        mutating func received(byteCount: Int, patience: MediaTime, at arrival: MediaTime) {
            if patience > bytes.bucket + bytes.bucket {
                restart(at: arrival)
                bytes = SlidingSum(bucket: patience, count: Self.buckets)
            }
            let before = bytes.newest
            if bytes.number(at: arrival) != before { learn(at: arrival) }
            bytes.add(byteCount, at: arrival)
        }

        /// Bit/s over the window, or since the input was opened if that is shorter.
        func rate(at now: MediaTime) -> Int {
            let end = max(bytes.number(at: now), bytes.newest)
            let partial = now - bytes.bucket * end
            let window = bytes.window - bytes.bucket + max(partial, .zero)
            let span = max(bytes.bucket, min(window, now - openedAt))
            return Int(MediaTime.rescale(Int64(bytes.sum(at: now)), from: span.ticks, to: MediaTime.timescale * 8))
        }

        /// Adapts the usual rate, upwards within seconds and downwards within minutes: for so long a fall is news.
        ///
        /// To be called when a bucket is full.
        private mutating func learn(at now: MediaTime) {
            // The burst at the start of an input is not its rate.
            guard now - openedAt > bytes.window + bytes.window else { return }
            let rate = rate(at: bytes.bucket * (bytes.newest + 1) - MediaTime(ticks: 1))
            guard let usual else {
                self.usual = rate
                return
            }
            self.usual = usual + (rate - usual) / (rate > usual ? 16 : 512)
        }
    }
}
