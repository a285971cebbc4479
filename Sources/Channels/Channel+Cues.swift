import MediaCore
import NIOCore
import Segmenting
package import TimedText

extension Channel {
    /// Shows cues in subtitles that are separate from the feeds.
    ///
    /// - Parameters:
    ///   - cues: The cues, in UTC.
    ///   - subtitles: The index of the configured subtitles.
    package func show(_ cues: [TimedCue], in subtitles: Int) {
        let cues = cues.map { Cue(start: $0.start, end: $0.end, payload: ByteBuffer(string: $0.content.bytes)) }
        handle(.cues(subtitles, cues))
    }
}
