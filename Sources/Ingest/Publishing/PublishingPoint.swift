import Dispatch
import MediaCore
import NIOCore
import Synchronization

/// A place of a ``PublishingServer`` that a reader has taken: publishers of one stream come here, one at a time.
///
/// It has to be closed by the reader.
final class PublishingPoint: Sendable {
    private let server: PublishingServer
    private let place: Int
    let signal: StopSignal
    let refusals: RefusalReporter
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    private struct State {
        /// The feed of a publisher that was let in, until the reader takes it.
        var next: PublishedFeed?
    }

    /// - Parameters:
    ///   - address: The address that waits for publishers.
    ///   - allowed: Addresses that they may come from; empty for any.
    ///   - signal: Ends the waiting.
    ///   - refusals: Gets the refused publishers.
    /// - Returns: A place of the server at that address, where a publisher that another process has left is the first.
    /// - Throws: An error if the address cannot be listened on, or another reader waits for the same stream there.
    static func open(
        _ address: PublishingAddress,
        allowed: [AddressRange],
        signal: StopSignal,
        refusals: RefusalReporter
    ) throws(FFmpegError) -> PublishingPoint {
        let added = try PublishingServer.add(address, allowed: allowed) { HandedPublishers.claim(address) }
        guard let place = added else {
            throw FFmpegError(code: FFmpegError.addressInUse, operation: "open")
        }
        let server = place.server
        let point = PublishingPoint(server: server, place: place.number, signal: signal, refusals: refusals)
        server.attend(point, at: place.number)
        if let publisher = place.publisher, let connection = place.connection {
            server.resume(with: publisher, as: connection, for: point)
        } else if let publisher = place.publisher {
            publisher.close()
            refusals.refused(publisher.peer.host, port: publisher.peer.port, reason: PublisherAdmission.wrongAddress)
        }
        return point
    }

    private init(
        server: PublishingServer,
        place: Int,
        signal: StopSignal,
        refusals: RefusalReporter
    ) {
        self.server = server
        self.place = place
        self.signal = signal
        self.refusals = refusals
    }

    /// Releases the place, apart from data that is being read.
    ///
    /// Do not call it on the thread of a connection.
    func close() {
        server.remove(place)
        state.withLock { state in
            defer { state.next = nil }
            return state.next
        }?
        .close()
    }

    /// Waits for the next publisher.
    ///
    /// - Throws: `exitRequested` when the signal is raised.
    func nextFeed() throws(FFmpegError) -> PublishedFeed {
        while !signal.isRaised {
            let feed = state.withLock { state in
                defer { state.next = nil }
                return state.next
            }
            if let feed { return feed }
            _ = arrival.wait(timeout: .now() + .milliseconds(100))
        }
        throw FFmpegError(code: FFmpegError.exitRequested, operation: "open")
    }

    /// Makes a feed of the messages that a connection publishes here.
    func feed(of channel: any Channel) -> PublishedFeed {
        PublishedFeed(
            signal: signal,
            resume: { channel.setOption(.autoRead, value: true).whenComplete { _ in } },
            hangUp: { channel.close(promise: nil) }
        )
    }

    /// Takes the feed of an admitted publisher.
    func begin(_ feed: PublishedFeed) {
        // A publisher that came and went before the reader was ready is no loss.
        state.withLock { state in
            defer { state.next = feed }
            return state.next
        }?
        .close()
        arrival.signal()
    }
}
