/// The multivariant playlists of a channel, by their names below its URL.
package enum MultivariantName: String, Hashable, Sendable, CaseIterable {
    /// The playlist that every player reads.
    case everyPlayer = "index.m3u8"
    /// The same, with subtitles in IMSC 1 beside WebVTT.
    ///
    /// It has a name of its own since FFmpeg takes all subtitles for WebVTT: FFmpeg 8 opens no playlist that names others.
    case withIMSC1 = "index-imsc1.m3u8"
}
