import Dispatch
import MediaCore
import Synchronization

/// A place of a ``PublishingServer`` that a reader has taken: publishers of one stream come here, one at a time.
///
/// It has to be closed by the reader.
final class PublishingPoint: Sendable {
    private let server: PublishingServer
    private let place: Int
    let signal: StopSignal
    private let onRefusal: @Sendable (InputNotice) -> Void
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    private struct State {
        /// The feed of a publisher that was let in, until the reader takes it.
        var next: PublishedFeed?
        var filter = RefusalFilter()
    }

    /// - Parameters:
    ///   - address: Where publishers are waited for.
    ///   - allowed: Addresses that they may come from; empty for any.
    ///   - signal: Ends the waiting.
    ///   - onRefusal: Told of those that are not let in, on the thread of their connection.
    /// - Throws: Where the address cannot be listened on, or somebody waits for the same stream there.
    static func open(
        _ address: PublishingAddress,
        allowed: [AddressRange],
        signal: StopSignal,
        onRefusal: @escaping @Sendable (InputNotice) -> Void
    ) throws(FFmpegError) -> PublishingPoint {
        let server = try PublishingServer.at(address.socket)
        guard let place = server.add(address.path, allowed: allowed) else {
            throw FFmpegError(code: FFmpegError.addressInUse, operation: "open")
        }
        let point = PublishingPoint(server: server, place: place, signal: signal, onRefusal: onRefusal)
        server.attend(point, at: place)
        return point
    }

    private init(
        server: PublishingServer,
        place: Int,
        signal: StopSignal,
        onRefusal: @escaping @Sendable (InputNotice) -> Void
    ) {
        self.server = server
        self.place = place
        self.signal = signal
        self.onRefusal = onRefusal
    }

    /// Gives the place up; whoever publishes there is cut off. Not to be called on the thread of a connection.
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

    /// A publisher was let in.
    func begin(_ feed: PublishedFeed) {
        // Of one that came and went before the reader was ready nothing is lost that anybody waits for.
        state.withLock { state in
            defer { state.next = feed }
            return state.next
        }?
        .close()
        arrival.signal()
    }

    /// A publisher was not let in.
    ///
    /// - Parameters:
    ///   - address: Its address.
    ///   - port: Its port.
    ///   - reason: Why, which has no key in it.
    func refused(_ address: String, port: Int, reason: String) {
        let isTold = state.withLock { $0.filter.isTold(address, reason, at: .now) }
        guard isTold, !signal.isRaised else { return }
        onRefusal(.publisherRefused(peer: "\(address) port \(port)", reason: reason))
    }
}
