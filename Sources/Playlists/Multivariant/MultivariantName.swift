/// The multivariant playlists of a channel, by their names below its URL.
package enum MultivariantName: String, Hashable, Sendable, CaseIterable {
    /// The playlist that every player reads.
    case everyPlayer = "index.m3u8"
    /// The playlist with subtitles in IMSC 1 beside WebVTT.
    ///
    /// It has a name of its own because FFmpeg takes all subtitles for WebVTT: FFmpeg 8 opens no playlist with others.
    case withIMSC1 = "index-imsc1.m3u8"
}
