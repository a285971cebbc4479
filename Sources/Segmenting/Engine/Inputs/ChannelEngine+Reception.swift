import Codecs
import Logging
import MediaCore
import NIOCore
import Operations
import Timeline

/// The way from packets to samples on the channel's timeline.
extension ChannelEngine {
    mutating func received(_ packet: ReadPacket, of feed: FeedIndex, wallClock: MediaTime) {
        // The channel may still have waited for other inputs, or have got new places since.
        if inputs[feed].tracks == nil || inputs[feed].renditionCount != renditions.count {
            findPlaces(of: feed)
        }
        let info = packet.info
        noteArrival(of: info, feed)
        let place = inputs.track(info.trackIndex, of: feed)?.place
        if let place, renditions[place].plan.kind.isSparse { return received(cue: packet, place, of: feed) }
        guard let place,
            let units = usable(packet, of: feed, place: place), let first = units.first
        else { return }
        if first.isSync { noteFormat(of: first, place, feed) }
        let canAnchor = info.trackIndex == inputs[feed].leader && (first.isSync || first.isRecoveryPoint)
        let reception = inputs.received(
            info,
            of: feed,
            canAnchor: canAnchor,
            at: ClockReading(utc: now, wallClock: wallClock),
            signalled: signalledTime(of: first, info, feed)
        )
        noteRepairs(of: feed)
        for finding in inputs[feed].timeline.takeFindings() { take(up: finding, feed) }
        observe(units, info, reception, feed)
        noteCaptions(in: units, info, feed)
        if inputs[feed].timeline.isAnchored {
            deliverHeld(of: feed)
            receiveHeldSplices(of: feed)
            for (cue, place) in inputs[feed].takeHeldCues() { received(cue: cue, place, of: feed) }
        }
        switch reception {
        case .dropped: break
        case .placed(let times):
            for unit in units { deliver(unit, times, place, of: feed) }
        case .held(let times):
            for unit in units {
                let sample = Feed.Held(track: info.trackIndex, place: place, unit: unit, times: times, arrival: now)
                if inputs[feed].hold(sample) { watches.repairs.record(RepairLog.heldTooLong, of: inputs[feed].id) }
            }
            if inputs[feed].timeline.isAnchored { deliverHeld(of: feed) }
        }
    }

    /// Notes that media comes, even if it has no place yet or is damaged.
    private mutating func noteArrival(of packet: PacketInfo, _ feed: FeedIndex) {
        guard let time = packet.decodeTimestamp ?? packet.presentationTimestamp,
            inputs[feed].denseTracks.contains(packet.trackIndex)
        else { return }
        inputs[feed].health.arrived(track: packet.trackIndex, mediaTime: MediaTime(ticks: time), at: now)
    }

    /// Returns the usable units of a packet; nil if it is damaged.
    private mutating func usable(_ packet: ReadPacket, of feed: FeedIndex, place: TrackIndex) -> [TrackReader.Unit]? {
        if case .units(let units) = packet.content, !packet.info.isCorrupt { return units }
        noteLoss(of: packet.info, feed, place)
        let rank = inputs[feed].id.rank
        switch packet.content {
        case .units(let units):
            // A damaged picture may stop a player; without one Chromium continues.
            watches.repairs.record(RepairLog.damagedPacket, of: inputs[feed].id)
            inputs[feed].health.continuityError(at: now)
            segmenter.pictureLost(track: place, source: rank, isSync: units.contains(where: \.isSync))
        case .unreadable(let isSync, let unsupported):
            watches.repairs.record(RepairLog.unreadablePacket, of: inputs[feed].id)
            // The kind of self-framing audio is known by its frames only: containers have one name, AC-3 or AAC, for
            // two kinds.
            if let unsupported {
                let track = packet.info.trackIndex
                let problem = "track \(track): its packets are dropped, since \(unsupported) is not carried"
                reportOnce(problem, .leftOut, feed)
            }
            // Later pictures may refer to it; a damaged packet may have been any picture.
            guard let isSync = isSync ?? (packet.info.isCorrupt ? true : nil) else { return nil }
            segmenter.pictureLost(track: place, source: rank, isSync: isSync)
        }
        return nil
    }

    /// Notes the progress of an input that a packet shows which cannot be used.
    private mutating func noteLoss(of packet: PacketInfo, _ feed: FeedIndex, _ place: TrackIndex) {
        guard configuration.horizon != .slot, let timestamp = packet.decodeTimestamp ?? packet.presentationTimestamp,
            let time = inputs[feed].timeline.place(timestamp: timestamp)
        else { return }
        let utc = time + inputs[feed].utcOffset + inputs[feed].shift
        segmenter.sampleLost(at: utc, track: place, source: inputs[feed].id.rank)
    }

    private mutating func noteRepairs(of feed: FeedIndex) {
        for repair in inputs[feed].timeline.takeRepairs() {
            watches.repairs.record(repair.rawValue, of: inputs[feed].id)
            if repair == .untimedPacket, inputs[feed].pace != .live {
                let problem = "its packets have no timestamps; ffmpeg -i FEED -c copy FEED.mp4 makes some"
                lacks(problem, .noTimestamps, feed)
            }
            if repair == .missingTimecode {
                let problem = "it has no valid timecode, and is aligned by its arrival"
                report(problem, .noTimecode, input: inputs[feed].id)
            }
            inputs[feed].health.timestampRepair(at: now)
        }
    }

    /// Returns the time that a packet signals itself: video leads, and audio takes its clock from it.
    private func signalledTime(of unit: TrackReader.Unit, _ packet: PacketInfo, _ feed: FeedIndex) -> SignalledTime? {
        guard configuration.clock == .timecode,
            let description = inputs.track(packet.trackIndex, of: feed)?.description, description.kind == .video
        else { return nil }
        guard var label = unit.timecode else {
            return packet.producerReferenceTime.map(SignalledTime.producerReference)
        }
        label.frameRate = label.frameRate ?? description.frameRate
        return .timecode(label)
    }

    /// Delivers samples whose place is known by now, and before them the tags of their time.
    mutating func deliverHeld(of feed: FeedIndex) {
        for (bytes, timestamp) in inputs[feed].takeHeldTags() { received(bytes, timestamp: timestamp, of: feed) }
        if inputs[feed].held.isEmpty { return }
        let held = inputs[feed].held
        inputs[feed].held.removeAll()
        for sample in held {
            guard
                let times = inputs[feed].timeline.place(sample.times, track: sample.track, arrival: sample.arrival)
            else {
                watches.repairs.record(TimelineRepair.implausibleClock.rawValue, of: inputs[feed].id)
                continue
            }
            deliver(sample.unit, times, sample.place, of: feed, arrival: sample.arrival)
        }
    }

    private mutating func deliver(
        _ unit: TrackReader.Unit,
        _ times: SampleTimes,
        _ place: TrackIndex,
        of feed: FeedIndex,
        arrival: MediaTime? = nil
    ) {
        let delay = unit.delay + inputs[feed].shift
        let sample = Sample(
            decodeTime: times.decode + delay,
            presentationTime: times.presentation + delay,
            isSync: unit.isSync,
            isRecoveryPoint: unit.isRecoveryPoint,
            recoversGradually: unit.recoversGradually,
            isSkippedLeading: unit.isSkippedLeading,
            field: unit.field,
            audioLength: unit.audioLength,
            cueDuration: unit.cueDuration,
            payload: unit.payload,
            subsamples: unit.subsamples
        )
        inputs.receivedBytes += sample.payload.readableBytes
        let utcOffset = inputs[feed].timeline.utcOffset + inputs[feed].correction
        advanceSparseTracks(of: feed, sample.presentationTime + utcOffset, utcOffset, from: place)
        let slots = segmenter.received(
            sample,
            track: place,
            source: inputs[feed].id.rank,
            configuration: unit.configuration,
            utcOffset: utcOffset,
            arrival: configuration.isPaced ? arrival ?? now : nil
        )
        decide(slots)
        let utc = sample.presentationTime + utcOffset
        inputs[feed].reached = max(inputs[feed].reached ?? utc, utc)
        if !configuration.isPaced { followStoredMedia(utc) }
    }
}

extension ChannelEngine {
    /// Reports the progress of an input by its other tracks to sparse tracks that have nothing at the moment.
    private mutating func advanceSparseTracks(
        of feed: FeedIndex,
        _ utc: MediaTime,
        _ utcOffset: MediaTime,
        from place: TrackIndex
    ) {
        guard !renditions[place].plan.kind.isSparse, let places = inputs[feed].places else { return }
        for sparse in places.values where renditions[sparse].plan.kind.isSparse {
            segmenter.inputReached(utc, track: sparse, source: inputs[feed].id.rank, utcOffset: utcOffset)
        }
    }
}

// MARK: - Captions, health and alignment

extension ChannelEngine {
    /// Notes captions that a video has not carried before: they are declared from the next slot on.
    private mutating func noteCaptions(in units: [TrackReader.Unit], _ packet: PacketInfo, _ feed: FeedIndex) {
        for unit in units where !unit.captions.isEmpty {
            guard var track = inputs.track(packet.trackIndex, of: feed) else { return }
            let before = track.captions
            track.captions.formUnion(CaptionServices(in: unit.captions))
            guard track.captions != before else { continue }
            inputs[feed].tracks?[packet.trackIndex] = track
            let new = renditions[track.place].plan.addCaptions(track.captions.instreamIDs)
            guard !new.isEmpty else { continue }
            renditions.mustDeclare = true
            log(.info, "captions", ["channels": "\(new.joined(separator: " "))"])
        }
    }

    /// Notes the facts that health and alignment are judged by.
    private mutating func observe(
        _ units: [TrackReader.Unit],
        _ packet: PacketInfo,
        _ reception: InputTimeline.Reception,
        _ feed: FeedIndex
    ) {
        guard let kind = inputs.track(packet.trackIndex, of: feed)?.description.kind else { return }
        let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp ?? 0
        for unit in units {
            let observed = InputHealth.Packet(
                trackIndex: packet.trackIndex,
                kind: kind,
                byteCount: unit.payload.readableBytes,
                isSync: unit.isSync || unit.isRecoveryPoint,
                mediaTime: MediaTime(ticks: timestamp)
            )
            // Sparse tracks may pause for a while, which is no loss.
            if !kind.isSparse { inputs[feed].health.received(observed, at: now) }
            guard inputs[feed].isAligned, kind == .video, packet.trackIndex == inputs[feed].leader,
                case .placed(let times) = reception
            else { continue }
            let picture = OffsetMeter.Picture(
                fingerprint: ContentHash(of: unit.payload),
                timestamp: timestamp,
                utc: times.presentation + inputs[feed].timeline.utcOffset
            )
            align(picture, isSync: unit.isSync, feed)
        }
    }

    private mutating func align(_ picture: OffsetMeter.Picture, isSync: Bool, _ feed: FeedIndex) {
        let id = inputs[feed].id
        if let new = inputs.measure(picture, of: feed, at: now) {
            note(.aligned, new.text, input: .backup(id.position.value, inputCount: configuration.inputCount))
        }
        guard isSync, inputs.correct(feed, at: now) else { return }
        // On air a shift would tear a hole, or show pictures twice.
        if renditions.isOnAir(id) { return }
        let isOtherOnAir = inputs.counterpart(of: feed).map(renditions.isOnAir) ?? false
        inputs.shift(feed, isOtherOnAir: isOtherOnAir)
    }
}
