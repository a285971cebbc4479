import MediaCore

/// The packets of an encoder, as `Ingest` reads them.
struct Feed: Sendable {
    var tracks: [InputTrack]
    var timestampModulus: Int64?
    var packets: [Packet]
    /// The length after which it may start over.
    var length: MediaTime

    /// The feed without tracks of a kind.
    func without(_ kind: MediaKind) -> Feed {
        keeping { $0.kind != kind }
    }

    /// The feed with some of its tracks only.
    func keeping(_ isKept: (InputTrack) -> Bool) -> Feed {
        var feed = self
        feed.tracks = tracks.filter(isKept)
        let indexes = Set(feed.tracks.map(\.index))
        feed.packets = packets.filter { indexes.contains($0.info.trackIndex) }
        return feed
    }

    /// The feed with other packets in the place of a track's.
    ///
    /// - Parameters:
    ///   - kind: Of the tracks.
    ///   - edit: Gets each packet and its number in its track.
    /// - Returns: The feed.
    func editing(_ kind: MediaKind, _ edit: (Int, inout Packet) -> Void) -> Feed {
        var feed = self
        let indexes = Set(tracks.filter { $0.kind == kind }.map(\.index))
        var counts: [InputTrackIndex: Int] = [:]
        for place in feed.packets.indices where indexes.contains(feed.packets[place].info.trackIndex) {
            let index = feed.packets[place].info.trackIndex
            edit(counts[index, default: 0], &feed.packets[place])
            counts[index, default: 0] += 1
        }
        return feed
    }

    /// The feed with the tracks and packets of another, whose tracks get indexes from 100 on.
    func beside(_ other: Feed) -> Feed {
        var feed = self
        for var track in other.tracks {
            track.index = InputTrackIndex(track.index.value + 100)
            feed.tracks.append(track)
        }
        for var packet in other.packets {
            packet.info.trackIndex = InputTrackIndex(packet.info.trackIndex.value + 100)
            feed.packets.append(packet)
        }
        feed.packets.sort { ($0.time, $0.info.trackIndex) < ($1.time, $1.info.trackIndex) }
        return feed
    }
}
