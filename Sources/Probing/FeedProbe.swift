import Ingest
package import MediaCore
import Synchronization

/// Reads a feed for a while into a `FeedObserver`.
package final class FeedProbe: InputConsumer {
    private let location: FeedLocation
    private let length: MediaTime
    private let start = ContinuousClock.now
    private let state: Mutex<State>
    private let (ends, ended) = AsyncStream<Void>.makeStream()

    private struct State {
        var observer: FeedObserver
        /// The arrival of the first packet.
        var first: MediaTime?
        /// True if enough was read: packets before the reader stops do not count.
        var isOver = false
    }

    /// - Parameters:
    ///   - location: The feed.
    ///   - length: The length that is read: of a file by its own timestamps, of others by the clock, from its first
    ///     packet on.
    package init(_ location: FeedLocation, length: MediaTime) {
        self.location = location
        self.length = length
        state = Mutex(State(observer: FeedObserver(location)))
    }

    /// Reads it, as fast as it comes.
    ///
    /// - Parameter patience: The time that its first packet is waited for.
    /// - Returns: The findings.
    /// - Throws: ``ProbeError`` if nothing can be found out.
    package func run(patience: MediaTime) async throws(ProbeError) -> FeedReport {
        let reader = InputReader(
            url: location.location,
            options: InputReader.Options(
                retries: !location.isFinite,
                waitsForAddress: false,
                audioTranscoding: .automatic,
                subtitles: .automatic
            ),
            consumer: self
        )
        reader.start()
        let deadline = Task { [ended] in
            try? await Task.sleep(for: .milliseconds(patience.milliseconds))
            if self.state.withLock({ $0.first == nil }) { ended.yield() }
            guard !self.location.isFinite else { return }
            // A feed that stops is not waited for either.
            try? await Task.sleep(for: .milliseconds(self.length.milliseconds))
            ended.yield()
        }
        for await _ in ends { break }
        deadline.cancel()
        reader.stop()
        await reader.finished()
        if reader.hasFoundAddressInUse { throw .addressInUse(port: location.authority?.port) }
        return state.withLock { $0.observer.report() }
    }

    private var now: MediaTime {
        MediaTime(ContinuousClock.now - start)
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        state.withLock { $0.observer.opened(tracks, modulus: timestampModulus) }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let now = now
        let isOver = state.withLock { state in
            if state.isOver { return true }
            let first = state.first ?? now
            state.first = first
            state.observer.received(packet, payload, at: now - MediaTime(ticks: packet.age))
            state.isOver = (location.isFinite ? state.observer.span : now - first) >= length
            return state.isOver
        }
        if isOver { ended.yield() }
    }

    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        state.withLock { $0.observer.receivedMetadata() }
    }

    package func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {
        state.withLock { $0.observer.receivedSplice(section) }
    }

    package func inputLost(reason: String) { state.withLock { $0.observer.lost(reason: reason) } }

    package func inputEnded() { ended.yield() }

    package func inputNoticed(_ notice: InputNotice) { state.withLock { $0.observer.noticed(notice) } }
}
