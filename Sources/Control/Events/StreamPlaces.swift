import Synchronization

/// Limits the number of event streams, so that they leave connections to other requests.
final class StreamPlaces: Sendable {
    private let free: Mutex<Int>

    init(count: Int) {
        free = Mutex(count)
    }

    /// A stream's place, as long as it is kept.
    final class Place: Sendable {
        private let places: StreamPlaces

        fileprivate init(_ places: StreamPlaces) {
            self.places = places
        }

        deinit {
            places.free.withLock { $0 += 1 }
        }
    }

    /// - Returns: Nil if all are taken.
    func take() -> Place? {
        let isThere = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isThere ? Place(self) : nil
    }
}
