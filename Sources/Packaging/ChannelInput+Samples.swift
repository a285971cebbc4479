import Codecs
import MediaCore
import Synchronization
import Timeline

/// From packets to samples on the channel's timeline.
extension ChannelInput {
    /// The packet's samples; nil if it is not wanted or makes none.
    func read(_ packet: PacketInfo, _ payload: RawSpan, _ state: inout State) -> [TrackReader.Unit]? {
        guard let place = state.tracks?[packet.trackIndex]?.place else { return nil }
        do throws(CodecError) {
            let units = try state.tracks?[packet.trackIndex]?.reader.read(packet, payload)
            guard packet.isCorrupt else { return units }
            // A damaged picture may stop a player; where one is missing, Chromium goes on.
            channel.record(RepairLog.damagedPacket)
            health.withLock { $0.meter.continuityError(at: channel.clock.now) }
            channel.pictureLost(id, track: place, isSync: units?.contains(where: \.isSync) == true)
        } catch {
            channel.record(RepairLog.unreadablePacket)
            // Sound that frames itself is only known by its frames: a container calls both of two kinds AC-3, or AAC.
            if case .unsupported(let what) = error {
                let problem = "track \(packet.trackIndex): its packets are dropped, since \(what) is not carried"
                channel.reportOnce(problem, input: id)
            }
            // The pictures after it may refer to it; what was damaged may have been any.
            let isSync = state.tracks?[packet.trackIndex]?.reader.isSync(unreadable: payload)
            guard let isSync = isSync ?? (packet.isCorrupt ? true : nil) else { return nil }
            channel.pictureLost(id, track: place, isSync: isSync)
        }
        return nil
    }

    func deliverHeld(_ state: inout State) {
        for held in state.held {
            guard let times = state.timeline.place(held.times, track: held.track, arrival: held.arrival) else {
                channel.record(TimelineRepair.implausibleClock.rawValue)
                continue
            }
            deliver(held.unit, times, held.place, state, held.arrival)
        }
        state.held.removeAll()
    }

    func deliver(
        _ unit: TrackReader.Unit,
        _ times: SampleTimes,
        _ place: Int,
        _ state: borrowing State,
        _ arrival: MediaTime
    ) {
        let delay = unit.delay + state.shift
        let sample = Sample(
            decodeTime: times.decode + delay,
            presentationTime: times.presentation + delay,
            isSync: unit.isSync,
            isRecoveryPoint: unit.isRecoveryPoint,
            recoversGradually: unit.recoversGradually,
            isSkippedLeading: unit.isSkippedLeading,
            field: unit.field,
            soundLength: unit.soundLength,
            payload: unit.payload,
            subsamples: unit.subsamples
        )
        channel.received(
            sample,
            input: id,
            track: place,
            configuration: unit.configuration,
            utcOffset: state.timeline.utcOffset + state.correction,
            arrival: arrival
        )
    }
}
