import MediaCore
import NIOCore
package import Segmenting
package import TimedText

extension Channel {
    /// Shows cues in subtitles that come beside the feeds.
    ///
    /// - Parameters:
    ///   - cues: In UTC.
    ///   - subtitles: Which of the configured ones.
    /// - Returns: What becomes of each.
    @discardableResult
    package func show(_ cues: [TimedCue], in subtitles: Int) -> [CuePlacement] {
        let cues = cues.map { Cue(start: $0.start, end: $0.end, payload: ByteBuffer(string: $0.content.bytes)) }
        let now = clock.now
        return handle(.cues(subtitles, cues)) { $0.placements(of: cues, in: subtitles, at: now) }
    }
}
