import Foundation
import Glibc
import Operations
import Testing

@Suite struct ProcessUsageTests {
    @Test func thisProcessIsMeasured() throws {
        let before = ProcessUsage.current
        let pipes = (0..<50).map { _ in Pipe() }
        // At least a tick of the kernel's accounting.
        var sum = 0.0
        repeat {
            sum += sqrt(Double.random(in: 0...1))
        } while (ProcessUsage.current.cpuSeconds ?? 0) <= (before.cpuSeconds ?? 0)
        let after = ProcessUsage.current
        #expect(sum > 0)
        #expect(try #require(after.residentBytes) > 1 << 20)
        // Other tests open and close files meanwhile; these are open for certain.
        #expect(try #require(after.openFiles) >= 2 * pipes.count)
        #expect(try #require(after.maximumFiles) >= #require(after.openFiles))
        let started = Date(timeIntervalSince1970: try #require(after.startSeconds))
        #expect(started < .now.addingTimeInterval(2))
        #expect(after.startSeconds == before.startSeconds)
    }
}
