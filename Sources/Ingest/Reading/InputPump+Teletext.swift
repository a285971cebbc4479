import MediaCore
import TimedText

/// Pages of teletext, and notices about those that cannot be read.
extension InputPump {
    /// Begins to watch streams, and continues with those that have been there before.
    mutating func noteTeletext(_ streams: [TextStream]) {
        for stream in streams {
            guard let pages = stream.pages else { continue }
            teletext[stream.index, default: TeletextStream(pages: pages)].declare(pages)
        }
        // While the feed is lost its streams are unknown.
        if streams.isEmpty { return }
        teletext = teletext.filter { index, _ in streams.contains { $0.index == index && $0.pages != nil } }
    }

    mutating func deliverTeletext(_ payload: RawSpan, _ info: PacketInfo, of index: Int, _ readers: [TextTrackReader]) {
        guard var stream = teletext.removeValue(forKey: index) else { return }
        var cues: [(track: InputTrack, cues: [FeedCue])] = []
        let news = stream.read(
            payload.array,
            at: info.presentationTimestamp ?? info.decodeTimestamp,
            modulus: modulus
        ) { bytes in
            var read: Set<Int> = []
            for reader in readers {
                let shown = reader.read(unsafe bytes.span.bytes, info, shift: timeline.offset, settings: nil)
                cues.append((reader.track, shown))
                if reader.hasReadPage, case .teletext(let page)? = reader.track.service { read.insert(page) }
            }
            return read
        }
        teletext[index] = stream
        for (track, cues) in cues { deliver(cues, of: track) }
        guard let track = readers.first?.track.index else { return }
        for news in news {
            switch news {
            case .unreadable(let pages, let fault):
                delivery.notice(.teletextUnreadable(track: track, pages: pages, fault))
            case .readable(let pages, let seconds):
                delivery.notice(.teletextReadable(track: track, pages: pages, seconds: seconds))
            }
        }
    }
}
