import MediaCore

extension OffsetMeter {
    /// The pictures of one input within the horizon.
    struct History: Sendable {
        private let timestampModulus: Int64?
        /// The arrival of the first picture since a restart.
        private(set) var since: MediaTime?
        /// UTC minus timestamp of the newest picture.
        private var anchor: MediaTime?
        /// The latest sighting of each fingerprint.
        private var sightings: [ContentHash: Sighting] = [:]
        /// The same in order of arrival: a ring, so that the oldest leave.
        private var order: [Arrival] = []
        private var oldest = 0
        private var count = 0

        private struct Sighting {
            var utc: MediaTime
            var arrival: MediaTime
            /// True if it came twice in a short time, as identical black pictures do: it tells no offset.
            var isRepeated: Bool
        }

        private struct Arrival {
            var fingerprint: ContentHash
            var arrival: MediaTime
        }

        /// Ten seconds at 100 pictures a second.
        private static let capacity = 1024
        /// Still pictures repeat with every group of pictures, a feed in a loop after longer.
        private static let repetition = MediaTime(seconds: 5)

        init(timestampModulus: Int64?) {
            self.timestampModulus = timestampModulus
        }

        /// A picture arrived.
        ///
        /// - Returns: True if the input's anchor has moved, so that everything known of it was forgotten.
        mutating func received(
            _ picture: Picture,
            at arrival: MediaTime,
            horizon: MediaTime,
            tolerance: MediaTime
        ) -> Bool {
            let new = MediaTime(ticks: picture.utc.ticks &- picture.timestamp)
            let hasMoved = anchor.map { abs(distance(from: $0, to: new).ticks) > tolerance.ticks } ?? false
            if hasMoved { self = History(timestampModulus: timestampModulus) }
            anchor = new
            since = since ?? arrival
            while count > 0, count == Self.capacity || arrival - order[oldest].arrival > horizon { removeOldest() }
            if let fingerprint = picture.fingerprint { append(fingerprint, picture.utc, at: arrival) }
            return hasMoved
        }

        /// UTC of the newest picture with a fingerprint, unless it is one of several.
        func sighting(of fingerprint: ContentHash) -> MediaTime? {
            guard let sighting = sightings[fingerprint], !sighting.isRepeated else { return nil }
            return sighting.utc
        }

        /// UTC here minus UTC there of the same timestamp; nil if timestamps cannot be compared.
        func clockOffset(from other: History) -> MediaTime? {
            guard let anchor, let reference = other.anchor, timestampModulus == other.timestampModulus else {
                return nil
            }
            return distance(from: reference, to: anchor)
        }

        /// The least distance, counted around the wrap; saturated far below the limits of 64 bits.
        private func distance(from first: MediaTime, to second: MediaTime) -> MediaTime {
            let distance = Timestamps.distance(from: first.ticks, to: second.ticks, modulus: timestampModulus)
            return MediaTime(ticks: max(-Int64.max / 2, min(Int64.max / 2, distance)))
        }

        private mutating func append(_ fingerprint: ContentHash, _ utc: MediaTime, at arrival: MediaTime) {
            if order.isEmpty {
                order = Array(repeating: Arrival(fingerprint: fingerprint, arrival: arrival), count: Self.capacity)
                sightings.reserveCapacity(Self.capacity)
            }
            let before = sightings[fingerprint]?.arrival
            let isRepeated = before.map { arrival - $0 < Self.repetition } ?? false
            sightings[fingerprint] = Sighting(utc: utc, arrival: arrival, isRepeated: isRepeated)
            order[(oldest + count) % Self.capacity] = Arrival(fingerprint: fingerprint, arrival: arrival)
            count += 1
        }

        private mutating func removeOldest() {
            let leaving = order[oldest]
            oldest = (oldest + 1) % Self.capacity
            count -= 1
            // A later picture of the same fingerprint stays.
            if sightings[leaving.fingerprint]?.arrival == leaving.arrival { sightings[leaving.fingerprint] = nil }
        }
    }
}
