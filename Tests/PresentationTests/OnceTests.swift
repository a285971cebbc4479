import Synchronization
import Testing

@testable import Presentation

/// An object that is made once.
@Suite struct OnceTests {
    /// An object that counts those of its kind that exist.
    private final class Counted: Sendable {
        private let count: Counter

        init(_ count: Counter) {
            self.count = count
            count.value.add(1, ordering: .relaxed)
        }

        deinit { count.value.subtract(1, ordering: .relaxed) }
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private final class Holder: Sendable {
        let once = Once<Counted>()
    }

    @Test func loadReturnsNilBeforeAStore() {
        let (count, holder) = (Counter(), Holder())
        #expect(holder.once.load() == nil)
        let made = holder.once.storeIfNil(Counted(count))
        #expect(holder.once.load() === made)
    }

    /// All get the first one, and none of the others stays.
    @Test func concurrentStoresGetOneObject() async {
        for _ in 0..<100 {
            let (count, holder) = (Counter(), Holder())
            let seen = await withTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let made = holder.once.storeIfNil(Counted(count))
                        return ObjectIdentifier(holder.once.load() ?? made)
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            withExtendedLifetime(holder) {
                #expect(seen.count == 1 && count.value.load(ordering: .relaxed) == 1)
            }
        }
    }

    @Test func objectIsReleasedWithItsHolder() {
        let count = Counter()
        do {
            let holder = Holder()
            _ = holder.once.storeIfNil(Counted(count))
            withExtendedLifetime(holder) { #expect(count.value.load(ordering: .relaxed) == 1) }
        }
        #expect(count.value.load(ordering: .relaxed) == 0)
    }
}
