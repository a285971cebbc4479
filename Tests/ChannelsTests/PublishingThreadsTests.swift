import Testing

@testable import Channels

@Suite struct PublishingThreadsTests {
    /// A process of up to that many channels has a thread for each.
    @Test func channelsTakeTurns() {
        let threads = PublishingThreads()
        let queues = (0..<3 * PublishingThreads.count).map { _ in ObjectIdentifier(threads.next()) }
        for start in 0...2 * PublishingThreads.count {
            #expect(Set(queues[start..<start + PublishingThreads.count]).count == PublishingThreads.count)
        }
    }
}
