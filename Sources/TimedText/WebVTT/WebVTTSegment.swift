package import MediaCore

/// A segment of WebVTT (RFC 8216bis § 3.1.4).
package struct WebVTTSegment: Hashable, Sendable {
    /// The local time zero of its cues on the media timeline of the other renditions, in 90 kHz ticks.
    ///
    /// Cues count from an hour that is not long past, since players fail at hours that count from 1970.
    package var mediaOrigin: MediaTime
    /// The container of the other renditions.
    ///
    /// Timestamps of a transport stream wrap at 33 bits, and so does MPEGTS beside them. Decode times of fragmented MP4 do
    /// not: Shaka Player compares both as they are, hls.js takes either.
    package var container: StreamFormat
    /// The cues in order; their times count from the origin, and none is negative.
    package var cues: [TimedCue]

    package init(mediaOrigin: MediaTime, container: StreamFormat, cues: [TimedCue]) {
        self.mediaOrigin = mediaOrigin
        self.container = container
        self.cues = cues
    }

    /// The text of the segment: every definition that a cue needs, once, and each cue with all of its time.
    package func render() -> String {
        let timestamp =
            container.timestampModulus.map { Timestamps.reduce(mediaOrigin.ticks, modulus: $0) }
            ?? max(mediaOrigin.ticks, 0)
        var blocks = ["WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(timestamp)"]
        for block in cues.flatMap(\.content.blocks) where !blocks.contains(block) { blocks.append(block) }
        blocks += cues.map { cue in
            let settings = cue.content.settings.isEmpty ? "" : " \(cue.content.settings)"
            let times = "\(WebVTTTimestamp.text(cue.start)) --> \(WebVTTTimestamp.text(cue.end))"
            return "\(times)\(settings)\n\(cue.content.text)"
        }
        // Two line terminators end the header also where nothing follows (§ 3.1.4).
        return blocks.joined(separator: "\n\n") + (blocks.count == 1 ? "\n\n" : "\n")
    }
}
