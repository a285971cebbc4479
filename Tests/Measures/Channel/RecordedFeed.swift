import Dispatch
import Ingest
package import MediaCore
import Synchronization

/// Keeps the packets of a feed, so that reading it is not measured.
package final class RecordedFeed: InputConsumer {
    package struct Packet: Sendable {
        var info: PacketInfo
        var bytes: [UInt8]
    }

    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex((tracks: [InputTrack](), modulus: Int64?.none, packets: [Packet]()))

    var tracks: [InputTrack] { state.withLock { $0.tracks } }
    var modulus: Int64? { state.withLock { $0.modulus } }
    package var packets: [Packet] { state.withLock { $0.packets } }

    private init() {}

    /// Reads a file from its beginning to its end.
    ///
    /// It blocks, because callgrind cannot follow a program whose main thread Swift's tasks take over.
    package static func read(_ path: String) -> RecordedFeed {
        let feed = RecordedFeed()
        let reader = InputReader(url: path, options: .init(retries: false), consumer: feed)
        reader.start()
        feed.ended.wait()
        return feed
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        state.withLock { ($0.tracks, $0.modulus) = (tracks, timestampModulus) }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let bytes = payload.withUnsafeBytes { Array($0) }
        state.withLock { $0.packets.append(Packet(info: packet, bytes: bytes)) }
    }

    package func inputLost(reason: String) {}
    package func inputEnded() { ended.signal() }
}
