import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing

/// Threads for disks, with a bound on what waits for them.
@Suite(.timeLimit(.minutes(5))) struct ReadersTests {
    @Test func aFloodWaitsUpToTheLimitAndNoFurther() async throws {
        let (readers, gate) = (Readers(threads: 2, mostWaiting: 8), Gate(isClosed: true))
        let (done, refused) = (Counter(), Counter())
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { gate.open() }
            for _ in 0..<2 { group.addTask { try await readers.run { gate.pass() } } }
            _ = try await eventually(within: 10, "the threads wait") { gate.waiting == 2 ? true : nil }
            for _ in 0..<100 {
                group.addTask {
                    do { try await readers.run { done.count() } } catch { refused.count() }
                }
            }
            _ = try await eventually(within: 10, "the end of the flood") { refused.value == 92 ? true : nil }
            #expect(readers.waitingCount == 8 && done.value == 0)
            gate.open()
            try await group.waitForAll()
        }
        #expect(readers.waitingCount == 0 && done.value == 8)
        #expect(try await readers.run { 7 } == 7)
    }

    @Test func othersHoldUpNobody() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        #expect(try await Readers(threads: 1, mostWaiting: 1).run { 7 } == 7)
    }

    @Test func anEventLoopIsToldLaterAndNeverAtOnce() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let isToldAtOnce = try await loop.submit {
            var isTold = false
            busy.readers.run(on: loop) {}.assumeIsolated().whenComplete { _ in isTold = true }
            return isTold
        }.get()
        #expect(!isToldAtOnce)
        await #expect(throws: Readers.Busy.self) { try await busy.readers.run(on: loop) {}.get() }
        await #expect(throws: Readers.Busy.self) { try await busy.readers.run {} }
    }

    @Test func whatWaitsIsDoneInItsTurn() async throws {
        let busy = try await BusyReaders()
        busy.gate.open()
        try await busy.first.get()
        try await busy.second.get()
        #expect(try await busy.readers.run { 7 } == 7)
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func count() { number.withLock { $0 += 1 } }
}

/// A thread that waits for a gate, and as much work behind it as may wait.
struct BusyReaders {
    let readers = Readers(threads: 1, mostWaiting: 1)
    let gate = Gate(isClosed: true)
    let first: EventLoopFuture<Void>
    let second: EventLoopFuture<Void>

    init() async throws {
        let (readers, gate) = (self.readers, self.gate)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        first = readers.run(on: loop) { gate.pass() }
        _ = try await eventually(within: 10, "the thread waits") { gate.waiting == 1 ? true : nil }
        second = readers.run(on: loop) { gate.pass() }
    }
}
