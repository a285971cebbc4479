import Synchronization

/// A place for an object that is made once and shared by all readers.
///
/// Reading takes no lock. `AtomicLazyReference` does the same, but is not specialised for its type: it looks the type
/// up at each read, which takes 40 times as long. Each request reads several of these.
struct Once<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    private let held = Atomic<Unmanaged<Value>?>(nil)

    /// Returns the object; nil before there is one.
    func load() -> Value? { held.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores an object, unless there is one.
    ///
    /// - Returns: The stored object.
    func storeIfNil(_ value: Value) -> Value {
        let new = Unmanaged.passRetained(value)
        let (_, before) = held.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let before else { return value }
        new.release()
        return before.takeUnretainedValue()
    }

    deinit { held.load(ordering: .acquiring)?.release() }
}
