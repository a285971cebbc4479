import Foundation
import MediaCore
import Operations
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// A disk that stands still holds up publications, and nobody who asks how the channel is.
@Suite(.timeLimit(.minutes(1))) struct StalledDiskTests {
    /// A journal whose disk stands still from when it is told to until it is let go.
    private final class StalledJournal: PublicationJournal {
        let isStalled = Mutex(false)
        let waiting = Mutex(false)
        private let released = DispatchSemaphore(value: 0)

        func willRestore(_ window: RestoredWindow) {}

        func willPublish(_ publication: Publication) {
            guard isStalled.withLock({ $0 }) else { return }
            waiting.withLock { $0 = true }
            released.wait()
        }

        func release() {
            isStalled.withLock { $0 = false }
            released.signal()
        }
    }

    @Test func whoAsksIsToldAtOnce() async throws {
        let journal = StalledJournal()
        let fixture = ChannelFixture(journal: journal)
        let feed = ChannelFeed()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        #expect(!fixture.window("video-180p").isEmpty)
        journal.isStalled.withLock { $0 = true }
        let published = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            feed.sendLive(13_000..<18_000, at: 13_000, to: input, of: fixture)
            published.continuation.finish()
        }
        _ = try await eventually(within: 30, "a publication waits") { journal.waiting.withLock { $0 } ? true : nil }
        // All of this would wait for the disk, on the threads that tasks share.
        let (status, isJoining) = (fixture.channel.latestStatus, fixture.channel.isJoining)
        #expect(status.score == 100)
        #expect(status.renditions.count == 2)
        #expect(!isJoining)
        #expect(fixture.channel.inputBytes > 0)
        #expect(!fixture.presentation.saved.files.isEmpty)
        #expect(!fixture.presentation.slotsWithKeys.isEmpty)
        #expect(journal.isStalled.withLock { $0 })
        journal.release()
        for await _ in published.stream {}
    }
}
