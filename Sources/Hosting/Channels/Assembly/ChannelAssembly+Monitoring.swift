import Channels
import Control
import Foundation
import MediaCore
import NIOCore
import PackagerConfig
import Segmenting
import Timeline

/// Views of a channel besides what is published.
extension ChannelAssembly {
    /// Makes the stores of the newest key frames of inputs; none if thumbnails are off.
    func keyFrames(of inputs: [InputID], _ settings: ChannelConfiguration) -> [InputID: NewestKeyFrames] {
        guard settings.thumbnails != .off else { return [:] }
        return Dictionary(uniqueKeysWithValues: inputs.map { ($0, NewestKeyFrames()) })
    }

    /// Tells viewers what fills the slots that are listed.
    func onAir(of channel: Channels.Channel, _ settings: ChannelConfiguration) -> @Sendable () -> ByteBuffer? {
        // Playlists reach back a little further than the window: their segments are whole.
        let shown = settings.window + MediaTime(seconds: Int64(2 * settings.grid.targetDuration))
        return { [clock] in
            let listed = OnAirStatus(channel.monitor.history.since(clock.now - shown))
            return (try? JSONEncoder.canonical.encode(listed)).map { ByteBuffer(bytes: $0) }
        }
    }
}
