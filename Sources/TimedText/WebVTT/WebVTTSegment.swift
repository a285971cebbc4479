package import MediaCore

/// A segment of WebVTT (RFC 8216bis § 3.1.4).
package struct WebVTTSegment: Hashable, Sendable {
    /// What the local time zero of its cues is on the media timeline of the other renditions.
    ///
    /// MPEGTS wraps at 33 bits, so that nothing need count from 1970: a map points at an hour that is not long past.
    package var mediaOrigin: MediaTime
    /// In order; their times count from the origin, and none is negative.
    package var cues: [TimedCue]

    package init(mediaOrigin: MediaTime, cues: [TimedCue]) {
        self.mediaOrigin = mediaOrigin
        self.cues = cues
    }

    /// The text of the segment: every definition that a cue needs, once, and each cue with all of its time.
    package func render() -> String {
        let timestamp = Timestamps.reduce(mediaOrigin.ticks, modulus: Timestamps.transportStreamModulus)
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
