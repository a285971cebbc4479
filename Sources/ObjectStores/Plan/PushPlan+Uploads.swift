import NIOCore
import Presentation

/// The limit of the rate.
extension PushPlan {
    /// Notes the bytes that an action sends.
    mutating func countUpload(of action: Action, at now: Instant) {
        switch action {
        case .put(let path, .file): uploads.begin(byteCount: files[path]?.info.byteCount ?? 0, at: now)
        // Viewers wait for playlists: they are counted, and wait for nothing.
        case .put(_, .playlist(let playlist)): uploads.begin(byteCount: playlist.text.readableBytes, at: now)
        case .read, .find, .delete: break
        }
    }

    /// Notes bytes of recordings that are about to be sent.
    ///
    /// - Returns: Nil if they may be sent now; else the earliest time, and nothing has changed.
    mutating func beginUpload(byteCount: Int, at now: Instant) -> Instant? {
        guard uploads.mayBegin(at: now) else { return uploads.resumesAt }
        uploads.begin(byteCount: byteCount, at: now)
        return nil
    }
}
