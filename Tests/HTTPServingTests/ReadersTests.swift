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
            for client in 0..<2 { group.addTask { try await readers.run(for: client) { gate.pass() } } }
            _ = try await eventually(within: 10, "the threads wait") { gate.waiting == 2 ? true : nil }
            for client in 0..<100 {
                group.addTask {
                    do { try await readers.run(for: client) { done.count() } } catch { refused.count() }
                }
            }
            _ = try await eventually(within: 10, "the end of the flood") { refused.value == 92 ? true : nil }
            #expect(readers.waitingCount == 8 && done.value == 0)
            gate.open()
            try await group.waitForAll()
        }
        #expect(readers.waitingCount == 0 && done.value == 8)
        #expect(try await readers.run(for: 1) { 7 } == 7)
    }

    /// A client has half of the places, on however many connections it asks.
    @Test func oneClientLeavesPlacesToOthers() async throws {
        let (readers, gate) = (Readers(threads: 1, mostWaiting: 8), Gate(isClosed: true))
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let first = readers.run(for: 1, on: loop) { gate.pass() }
        defer { gate.open() }
        _ = try await eventually(within: 10, "the thread waits") { gate.waiting == 1 ? true : nil }
        let own = (0..<9).map { _ in readers.run(for: 1, on: loop) { 1 } }
        let others = (0..<9).map { _ in readers.run(for: 2, on: loop) { 2 } }
        #expect(readers.waitingCount == 8)
        gate.open()
        try await first.get()
        for (client, work) in [(1, own), (2, others)] {
            var results: [Int] = []
            for result in work { if let value = try? await result.get() { results.append(value) } }
            #expect(results == [Int](repeating: client, count: 4))
        }
        #expect(readers.waitingCount == 0)
        #expect(try await readers.run(for: 1) { 7 } == 7)
    }

    @Test func othersHoldUpNobody() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        #expect(try await Readers(threads: 1, mostWaiting: 1).run(for: 1) { 7 } == 7)
    }

    @Test func anEventLoopIsToldLaterAndNeverAtOnce() async throws {
        let busy = try await BusyReaders()
        defer { busy.gate.open() }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let isToldAtOnce = try await loop.submit {
            var isTold = false
            busy.readers.run(for: 3, on: loop) {}.assumeIsolated().whenComplete { _ in isTold = true }
            return isTold
        }.get()
        #expect(!isToldAtOnce)
        await #expect(throws: Readers.Busy.self) { try await busy.readers.run(for: 3, on: loop) {}.get() }
        await #expect(throws: Readers.Busy.self) { try await busy.readers.run(for: 3) {} }
    }

    @Test func whatWaitsIsDoneInItsTurn() async throws {
        let busy = try await BusyReaders()
        busy.gate.open()
        try await busy.first.get()
        try await busy.second.get()
        #expect(try await busy.readers.run(for: 1) { 7 } == 7)
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
        first = readers.run(for: 1, on: loop) { gate.pass() }
        _ = try await eventually(within: 10, "the thread waits") { gate.waiting == 1 ? true : nil }
        second = readers.run(for: 2, on: loop) { gate.pass() }
    }
}
