import Channels
import Control
import Foundation
import MediaCore
import NIOCore
import PackagerConfig
import Recording
import Segmenting
import Timeline

/// Views of a channel besides what is published.
extension ChannelAssembly {
    /// Makes the stores of the newest key frames of inputs; none if thumbnails are off.
    func keyFrames(of inputs: [InputID], _ settings: ChannelConfiguration) -> [InputID: NewestKeyFrames] {
        guard settings.thumbnails != .off else { return [:] }
        return Dictionary(uniqueKeysWithValues: inputs.map { ($0, NewestKeyFrames()) })
    }

    /// Tells viewers what fills the slots that are listed for them.
    func onAir(of channel: Channels.Channel, _ settings: ChannelConfiguration) -> @Sendable () -> ByteBuffer? {
        // Playlists reach back a little further than the window: their segments are whole.
        let shown = settings.window + MediaTime(seconds: Int64(2 * settings.grid.targetDuration))
        let (delay, grid) = (settings.viewerDelay, settings.grid)
        return { [clock] in
            let now = clock.now
            var listed = channel.monitor.history.since(now - delay.time - shown)
            if let end = delay.end(at: now) { listed = listed.before(end, from: grid.start(of: end)) }
            return (try? JSONEncoder.canonical.encode(OnAirStatus(listed))).map { ByteBuffer(bytes: $0) }
        }
    }
}
