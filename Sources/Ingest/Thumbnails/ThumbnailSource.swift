package import MediaCore
import Synchronization

/// The newest thumbnail of one subject, such as an input: made on request, and once for each key frame.
package final class ThumbnailSource: Sendable {
    private let maker: ThumbnailMaker
    private let keyFrames: NewestKeyFrames
    private let state = Mutex(State())

    private struct State {
        /// The one that was made last, or is being made.
        var made: (frame: KeyFrame, thumbnail: Task<Thumbnail?, Never>)?
        var isBusy = false
    }

    /// - Parameters:
    ///   - maker: The maker, shared by all.
    ///   - keyFrames: The key frames to show.
    package init(_ maker: ThumbnailMaker, of keyFrames: NewestKeyFrames) {
        self.maker = maker
        self.keyFrames = keyFrames
    }

    /// The thumbnail of the newest key frame, or of one before while that is being made: one at a time.
    ///
    /// - Returns: Nil while there is no key frame, or none that can be decoded.
    package func thumbnail() async -> Thumbnail? {
        guard let newest = keyFrames.smallest else { return nil }
        let task = state.withLock { state in
            if let made = state.made, made.frame === newest || state.isBusy { return made.thumbnail }
            state.isBusy = true
            let task = Task { [self] in
                let thumbnail = await maker.thumbnail(of: newest)
                self.state.withLock { $0.isBusy = false }
                return thumbnail
            }
            state.made = (newest, task)
            return task
        }
        return await task.value
    }
}
