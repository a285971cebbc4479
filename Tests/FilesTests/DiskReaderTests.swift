import Dispatch
import Files
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DiskReaderTests {
    private struct Failure: Error {}

    @Test func aReadHasItsValueOrItsError() async throws {
        let disk = DiskReader("test")
        #expect(try await disk.value { 7 } == 7)
        await #expect(throws: Failure.self) { try await disk.value { throw Failure() } }
        #expect(try await disk.value { 8 } == 8)
    }

    /// One thread hangs, however often it is tried.
    @Test func aDiskThatHangsIsReportedAndAskedForNothingMore() async throws {
        let (disk, hang) = (DiskReader("test", limit: .milliseconds(50)), DispatchSemaphore(value: 0))
        for _ in 0..<10 {
            await #expect(throws: DiskReader.Silence.self) { try await disk.value { hang.wait() } }
        }
        hang.signal()
        let value = try await eventually(within: 60, "it answers again") { try? await disk.value { 7 } }
        #expect(value == 7)
    }

    @Test func aTaskThatIsCancelledWaitsNoLonger() async throws {
        let (disk, hang) = (DiskReader("test", limit: .seconds(3600)), DispatchSemaphore(value: 0))
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await disk.value {
                begin.yield()
                hang.wait()
            }
        }
        for await _ in begun.prefix(1) {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        hang.signal()
    }
}
