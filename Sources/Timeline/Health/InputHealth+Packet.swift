package import MediaCore

extension InputHealth {
    /// One access unit or audio frame, for judging health.
    package struct Packet: Hashable, Sendable {
        var trackIndex: InputTrackIndex
        package var kind: MediaKind
        var byteCount: Int
        /// True if decoding may start here.
        var isSync: Bool
        /// The time on the input's own timeline, for distances only.
        var mediaTime: MediaTime

        package init(
            trackIndex: InputTrackIndex,
            kind: MediaKind,
            byteCount: Int,
            isSync: Bool,
            mediaTime: MediaTime
        ) {
            self.trackIndex = trackIndex
            self.kind = kind
            self.byteCount = byteCount
            self.isSync = isSync
            self.mediaTime = mediaTime
        }
    }
}
