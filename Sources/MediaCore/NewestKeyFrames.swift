import Synchronization

/// The newest key frame of each video track, for thumbnails: nothing is copied or decoded here.
package final class NewestKeyFrames: Sendable {
    private let frames = Mutex<[InputTrackIndex: KeyFrame]>([:])

    package init() {}

    /// The one with the fewest samples, which shows the same as the others and is decoded soonest; nil while there is none.
    package var smallest: KeyFrame? {
        frames.withLock { frames in
            frames.min { ($0.value.size, $0.key) < ($1.value.size, $1.key) }?.value
        }
    }

    /// Takes the place of the one before of a track.
    package func offer(_ frame: KeyFrame, track: InputTrackIndex) { frames.withLock { $0[track] = frame } }

    /// Forgets the key frames of other tracks.
    package func keep(only tracks: Set<InputTrackIndex>) {
        frames.withLock { $0 = $0.filter { tracks.contains($0.key) } }
    }

    /// Takes the place of all.
    package func replace(with frames: [KeyFrame]) {
        let numbered = frames.enumerated().map { (InputTrackIndex($0), $1) }
        self.frames.withLock { $0 = Dictionary(uniqueKeysWithValues: numbered) }
    }
}
