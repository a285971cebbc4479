package import MediaCore

extension InputHealth {
    /// One access unit or audio frame, as health sees it.
    package struct Packet: Hashable, Sendable {
        package var trackIndex: Int
        package var kind: MediaKind
        package var byteCount: Int
        /// Whether decoding may start here.
        package var isSync: Bool
        /// On the input's own timeline, for distances only.
        package var mediaTime: MediaTime

        package init(
            trackIndex: Int,
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
