package import MediaCore

extension InputHealth {
    /// One access unit or audio frame, as health sees it.
    package struct Packet: Hashable, Sendable {
        package var trackIndex: Int
        package var kind: TrackKind
        package var byteCount: Int
        /// Whether decoding may start here.
        package var isSync: Bool
        /// Of the sample's payload, without ADTS headers; nil where it was not taken.
        package var fingerprint: Fingerprint?
        /// On the input's own timeline, for distances only.
        package var mediaTime: MediaTime

        package init(
            trackIndex: Int,
            kind: TrackKind,
            byteCount: Int,
            isSync: Bool,
            fingerprint: Fingerprint?,
            mediaTime: MediaTime
        ) {
            self.trackIndex = trackIndex
            self.kind = kind
            self.byteCount = byteCount
            self.isSync = isSync
            self.fingerprint = fingerprint
            self.mediaTime = mediaTime
        }
    }
}
