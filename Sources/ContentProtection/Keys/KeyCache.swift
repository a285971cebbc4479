import Synchronization

/// Keys derived lately; others are derived again.
final class KeyCache: Sendable {
    /// The most periods that are kept, more than a window lists: an hour of four-second periods, 200 kB.
    private static let capacity = 1024

    private let periods = Mutex<[CryptoPeriod: [KeyClass: PeriodKey]]>([:])

    func key(for period: CryptoPeriod, _ keyClass: KeyClass) -> PeriodKey? {
        periods.withLock { $0[period]?[keyClass] }
    }

    func insert(_ key: PeriodKey) {
        periods.withLock { periods in
            if periods[key.period] == nil, periods.count >= Self.capacity, let oldest = periods.keys.min() {
                periods[oldest] = nil
            }
            periods[key.period, default: [:]][key.keyClass] = key
        }
    }
}
