import Synchronization

/// Keys derived lately; what is not here is derived again.
final class KeyCache: Sendable {
    struct Keys {
        var video: PeriodKey
        var audio: PeriodKey

        subscript(keyClass: KeyClass) -> PeriodKey {
            switch keyClass {
            case .video: video
            case .audio: audio
            }
        }
    }

    /// More periods than a window lists: an hour of four-second periods, 200 kB.
    private static let capacity = 1024

    private let periods = Mutex<[CryptoPeriod: Keys]>([:])

    func keys(for period: CryptoPeriod) -> Keys? {
        periods.withLock { $0[period] }
    }

    func insert(_ keys: Keys, for period: CryptoPeriod) {
        periods.withLock { periods in
            if periods.count >= Self.capacity, let oldest = periods.keys.min() { periods[oldest] = nil }
            periods[period] = keys
        }
    }
}
