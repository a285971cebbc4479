import Channels
import Control
import Foundation
import MediaCore
import NIOCore
import PackagerConfig
import Recording
import Segmenting
import Timeline

/// Views of a channel in addition to its publications.
extension ChannelAssembly {
    /// Makes the stores of the newest key frames of inputs; none if thumbnails are off.
    func keyFrames(of inputs: [InputID], _ settings: ChannelConfiguration) -> [InputID: NewestKeyFrames] {
        guard settings.thumbnails != .off else { return [:] }
        return Dictionary(uniqueKeysWithValues: inputs.map { ($0, NewestKeyFrames()) })
    }

    /// Reports the inputs and fillers of the listed slots to viewers.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - recording: The recording for delayed viewers; nil if nothing is recorded.
    ///   - settings: The settings of the channel.
    /// - Returns: Makes the text as JSON; it may wait for the disk.
    func onAir(
        of channel: Channels.Channel,
        _ recording: Recording?,
        _ settings: ChannelConfiguration
    ) -> @Sendable () -> ByteBuffer? {
        // Playlists reach back a little further than the window: their segments are whole.
        let shown = settings.window + MediaTime(seconds: Int64(2 * settings.grid.targetDuration))
        let (delay, grid) = (settings.viewerDelay, settings.grid)
        let delayed = recording.map { DelayedOnAir($0, channel.monitor) }
        return { [clock] in
            let now = clock.now
            let start = now - delay.time - shown
            let listed: OnAirHistory
            if let end = delay.end(at: now), let delayed {
                let first = min(grid.slot(at: start), end)
                listed = delayed.history(of: first..<end, since: start).before(end, from: grid.start(of: end))
            } else {
                listed = channel.monitor.history.since(start)
            }
            return (try? JSONEncoder.canonical.encode(OnAirStatus(listed))).map { ByteBuffer(bytes: $0) }
        }
    }
}
