import MediaCore

extension InputHealth {
    /// The arrival of a track's newest key frame, and the usual distance between them.
    struct KeyFrameWatch: Sendable {
        /// The arrival of the newest one; before the first, the beginning of the track.
        private(set) var lastArrival: MediaTime
        private(set) var hasCome = false
        private var lastMediaTime: MediaTime?
        /// The longest distances of this span and the one before.
        private var longest: (previous: MediaTime?, current: MediaTime?) = (nil, nil)
        private var spanStart: MediaTime

        private static let span = MediaTime(seconds: 60)
        /// A distance above this is a hole and not an interval.
        private static let mostInterval = MediaTime(seconds: 30)
        /// The interval before one is known: half of x264's default at 25 pictures a second, so that twice it is whole.
        private static let unknownInterval = MediaTime(seconds: 5)
        /// Irregular encoders add key frames at cuts; a few close together do not make the next one late.
        private static let leastInterval = MediaTime(seconds: 2)

        init(openedAt: MediaTime) {
            lastArrival = openedAt
            spanStart = openedAt
        }

        /// The longest distance that is to be expected between two key frames.
        var expected: MediaTime {
            guard let known = [longest.previous, longest.current].compactMap(\.self).max() else {
                return Self.unknownInterval
            }
            return max(known, Self.leastInterval)
        }

        mutating func received(mediaTime: MediaTime, at arrival: MediaTime) {
            if arrival - spanStart >= Self.span {
                longest = (longest.current, nil)
                spanStart = arrival
            }
            let distance = MediaTime(ticks: mediaTime.ticks &- (lastMediaTime ?? mediaTime).ticks)
            if distance > .zero, distance <= Self.mostInterval {
                longest.current = max(longest.current ?? distance, distance)
            }
            lastMediaTime = mediaTime
            lastArrival = arrival
            hasCome = true
        }

        mutating func interrupted() {
            lastMediaTime = nil
        }
    }
}
