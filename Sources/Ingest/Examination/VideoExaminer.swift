import MediaCore

/// Compares some pictures a second with those before them.
///
/// All are decoded, since any may refer to any: of a group of pictures that takes four seconds, key frames alone would tell
/// four seconds late.
final class VideoExaminer: TrackExaminer {
    private let track: InputTrackIndex
    private var decoder: PictureDecoder
    private var comparison = PictureComparison()
    private var newest: Int64?

    /// - Throws: An error if there is no decoder for it.
    init(_ track: InputTrack) throws(FFmpegError) {
        self.track = track.index
        decoder = try PictureDecoder(track.codec, header: track.header)
    }

    func examine(_ packet: PacketInfo, payload: RawSpan) -> [ContentFinding] {
        guard let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return [] }
        let newest = newest
        let pictures = try? decoder.decode(payload, timestamp: timestamp) { timestamp in
            guard let newest else { return true }
            // Timestamps that run backwards are another timeline's.
            return !(0..<examinationInterval).contains(timestamp - newest)
        }
        return (pictures ?? []).compactMap { timestamp, picture in
            guard picture.width >= 16, picture.height >= 16 else { return nil }
            self.newest = timestamp
            return ContentFinding(
                trackIndex: track,
                mediaTime: MediaTime(ticks: timestamp),
                content: .picture(comparison.change(to: picture))
            )
        }
    }

    func interrupted() {
        decoder.flush()
    }
}
