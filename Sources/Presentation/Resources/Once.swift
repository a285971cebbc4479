import Synchronization

/// A place for an object that is made once, and which all who look there share.
///
/// Looking takes no lock. `AtomicLazyReference` does the same, but is not compiled for what it holds: with each look it finds
/// its type out again, which takes 40 times as long, and several of these are looked at for each request.
struct Once<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    private let held = Atomic<Unmanaged<Value>?>(nil)

    /// Returns the object; nil before there is one.
    func load() -> Value? { held.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Puts an object there, unless there is one.
    ///
    /// - Returns: The object that is there.
    func storeIfNil(_ value: Value) -> Value {
        let new = Unmanaged.passRetained(value)
        let (_, before) = held.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let before else { return value }
        new.release()
        return before.takeUnretainedValue()
    }

    deinit { held.load(ordering: .acquiring)?.release() }
}
