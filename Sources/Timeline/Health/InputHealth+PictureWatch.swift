import MediaCore

extension InputHealth {
    /// Distinguishes frozen pictures from moving ones, by the findings of decoding.
    struct PictureWatch: Sendable {
        /// The time for which nothing has moved.
        private(set) var stillness = MediaTime.zero

        /// True if it is too early to say, because most of the picture has changed a little all the time lately.
        var isRestless: Bool { count >= Self.leastCount && Self.isMost(of: shimmers, count: min(count, Self.recent)) }

        private var newest: MediaTime?
        /// A bit for each picture since something moved, set if it shimmered; the newest picture's is the lowest.
        private var shimmers: UInt32 = 0
        private var count = 0

        // Five pictures a second are looked at. An encoder that is fed one picture refines it for up to three seconds
        // after it froze or after a key frame, and then skips from picture to picture. Film grain continues.
        private static let memory = 18
        private static let recent = 10
        private static let leastCount = 4

        mutating func found(_ change: ContentFinding.PictureChange, at time: MediaTime) {
            stillness += InputHealth.elapsed(from: newest, to: time)
            newest = time
            switch change {
            case .moved:
                stillness = .zero
                (shimmers, count) = (0, 0)
            case .shimmers, .same:
                shimmers = shimmers << 1 | (change == .shimmers ? 1 : 0)
                count = min(count + 1, Self.memory)
                if change == .shimmers, count == Self.memory, Self.isMost(of: shimmers, count: count) {
                    stillness = .zero
                }
            }
        }

        private static func isMost(of shimmers: UInt32, count: Int) -> Bool {
            (shimmers & (1 << count - 1)).nonzeroBitCount * 5 >= count * 4
        }

        /// Forgets the state after an interruption.
        mutating func interrupted() {
            self = Self()
        }
    }

    /// The time between two findings of one track on its timeline; zero if timestamps jump or wrap between them.
    static func elapsed(from earlier: MediaTime?, to later: MediaTime) -> MediaTime {
        guard let earlier else { return .zero }
        let distance = MediaTime(ticks: later.ticks &- earlier.ticks)
        // If decoding lags behind, some groups of pictures are left out.
        return distance > .zero && distance <= MediaTime(seconds: 30) ? distance : .zero
    }
}
