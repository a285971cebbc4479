import MediaCore
import Synchronization

/// Keeps what a reader delivers of a file.
final class FeedRecorder: InputConsumer {
    private let state = Mutex(Feed(tracks: [], timestampModulus: nil, packets: [], length: .zero))

    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        state.withLock { ($0.tracks, $0.timestampModulus) = (tracks, timestampModulus) }
    }

    func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let bytes = payload.withUnsafeBytes { Array($0) }
        state.withLock { $0.packets.append(Packet(time: .zero, info: packet, bytes: bytes)) }
    }

    func inputLost(reason: String) {}
    func inputEnded() {}

    /// - Parameter length: After which it may start over; nil for the end of its last packet.
    /// - Returns: What was read, with timestamps that count from the first picture on.
    func feed(length: MediaTime?) -> Feed {
        var feed = state.withLock { $0 }
        let video = feed.tracks.first { $0.kind == .video }?.index
        let first = feed.packets.first { $0.info.trackIndex == video } ?? feed.packets.first
        let start = first?.info.presentationTimestamp ?? 0
        let beginning = feed.packets.first?.info.decodeTimestamp ?? start
        var (time, end) = (MediaTime.zero, MediaTime.zero)
        for place in feed.packets.indices {
            let info = feed.packets[place].info
            time = max(
                time,
                MediaTime(ticks: (info.decodeTimestamp ?? info.presentationTimestamp ?? start) - beginning)
            )
            end = max(end, time + MediaTime(ticks: info.duration))
            feed.packets[place].time = time
            feed.packets[place].info.decodeTimestamp? -= start
            feed.packets[place].info.presentationTimestamp? -= start
        }
        feed.length = length ?? end
        return feed
    }
}
