import Codecs
import MediaCore
import NIOCore
import Timeline

/// Text inside feeds.
extension ChannelEngine {
    /// Takes a cue, which has its place by the clock of its feed's other tracks, and does not move it.
    mutating func received(cue packet: ReadPacket, _ place: TrackIndex, of feed: FeedIndex) {
        guard case .units(let units) = packet.content, let timestamp = packet.info.presentationTimestamp else { return }
        guard let time = inputs[feed].timeline.place(timestamp: timestamp), let reached = inputs[feed].reached
        else {
            return inputs[feed].hold(cue: packet, place: place)
        }
        let utcOffset = inputs[feed].utcOffset
        let utc = time + inputs[feed].shift + utcOffset
        // A cue that far off is damaged, or counts by another clock.
        guard abs((utc - reached).ticks) < Self.furthestCue.ticks else {
            return watches.repairs.record(RepairLog.implausibleCue, of: inputs[feed].id)
        }
        for unit in units {
            let sample = Sample(
                decodeTime: time + inputs[feed].shift,
                presentationTime: time + inputs[feed].shift,
                isSync: true,
                cueDuration: unit.cueDuration,
                payload: unit.payload
            )
            inputs.receivedBytes += sample.payload.readableBytes
            decide(
                segmenter.received(
                    sample,
                    track: place,
                    source: inputs[feed].id.rank,
                    configuration: unit.configuration,
                    utcOffset: utcOffset,
                    arrival: configuration.isPaced ? now : nil
                )
            )
        }
    }

    /// The longest distance of a cue from its feed's pictures.
    private static let furthestCue = MediaTime(seconds: 600)
}
