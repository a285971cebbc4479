import Codecs
import MediaCore
import NIOCore
import Presentation
import Synchronization
import Timeline

/// What a packet tells besides its samples: of its time, of the input's health, and where a backup lies.
extension ChannelInput {
    /// What a packet says of its time itself: video leads, and sound takes its clock from it.
    func signalledTime(
        of unit: TrackReader.Unit,
        _ packet: PacketInfo,
        _ state: borrowing State
    ) -> SignalledTime? {
        guard channel.configuration.clock == .timecode,
            let description = state.tracks?[packet.trackIndex]?.description, description.kind == .video
        else { return nil }
        guard var label = unit.timecode else {
            return packet.producerReferenceTime.map(SignalledTime.producerReference)
        }
        label.frameRate = label.frameRate ?? description.frameRate
        return .timecode(label)
    }

    /// Notes captions that have not been seen before.
    func noteCaptions(in units: [TrackReader.Unit], _ packet: PacketInfo, _ state: inout State) {
        for unit in units where !unit.captions.isEmpty {
            guard var seen = state.tracks?[packet.trackIndex]?.captions,
                let place = state.tracks?[packet.trackIndex]?.place
            else { return }
            let before = seen
            seen.formUnion(unit.captions)
            guard seen != before else { continue }
            state.tracks?[packet.trackIndex]?.captions = seen
            channel.captionsSeen(seen.instreamIDs, place: place)
        }
    }

    /// Notes what health and alignment go by.
    func observe(
        _ units: [TrackReader.Unit],
        _ packet: PacketInfo,
        _ reception: InputTimeline.Reception,
        _ arrival: MediaTime,
        _ state: inout State
    ) {
        guard let description = state.tracks?[packet.trackIndex]?.description else { return }
        let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp ?? 0
        for unit in units {
            let isCompared = alignment != nil && description.kind == .video && packet.trackIndex == state.leader
            let fingerprint = isCompared ? Fingerprint(of: unit.payload) : nil
            let observed = InputHealth.Packet(
                trackIndex: packet.trackIndex,
                kind: description.kind,
                byteCount: unit.payload.readableBytes,
                isSync: unit.isSync || unit.isRecoveryPoint,
                mediaTime: MediaTime(ticks: timestamp)
            )
            health.withLock { $0.meter.received(observed, at: arrival) }
            guard isCompared, case .placed(let times) = reception else { continue }
            align(unit, fingerprint, timestamp, utc: times.presentation + state.timeline.utcOffset, arrival, &state)
        }
    }

    private func align(
        _ unit: TrackReader.Unit,
        _ fingerprint: Fingerprint?,
        _ timestamp: Int64,
        utc: MediaTime,
        _ arrival: MediaTime,
        _ state: inout State
    ) {
        let picture = OffsetMeter.Picture(fingerprint: fingerprint, timestamp: timestamp, utc: utc)
        if let new = alignment?.received(picture, from: side, at: arrival) {
            channel.note(
                .aligned,
                new.description,
                input: .backup(id.position, inputCount: channel.configuration.inputCount)
            )
        }
        if unit.isSync, let alignment { state.correction = alignment.correction(at: arrival) }
        // On air a shift would tear a hole, or show pictures twice.
        guard unit.isSync, let alignment, !channel.isOnAir(id) else { return }
        let other = channel.configuration.inputs.first { $0.position == id.position && $0.rank == 1 - id.rank }
        state.shift = alignment.shift(of: side, isOtherOnAir: other.map(channel.isOnAir) ?? false)
    }

    var side: OffsetMeter.Side { id.rank == 0 ? .primary : .backup }
}
