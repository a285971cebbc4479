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
        if feeds[feed.value].tracks == nil || feeds[feed.value].renditionCount != renditions.count {
            findPlaces(of: feed)
        }
        let info = packet.info
        noteArrival(of: info, feed)
        if let place = feeds[feed.value].tracks?[info.trackIndex]?.place, renditions[place.value].plan.kind.isSparse {
            return received(cue: packet, place, of: feed)
        }
        guard let place = feeds[feed.value].tracks?[info.trackIndex]?.place,
            let units = usable(packet, of: feed, place: place), let first = units.first
        else { return }
        if first.isSync { noteFormat(of: first, place, feed) }
        let canAnchor = info.trackIndex == feeds[feed.value].leader && (first.isSync || first.isRecoveryPoint)
        let reception = feeds[feed.value].received(
            info,
            canAnchor: canAnchor,
            at: ClockReading(utc: now, wallClock: wallClock),
            signalled: signalledTime(of: first, info, feed),
            shared: &clocks
        )
        noteRepairs(of: feed)
        for finding in feeds[feed.value].timeline.takeFindings() { take(up: finding, feed) }
        observe(units, info, reception, feed)
        noteCaptions(in: units, info, feed)
        if feeds[feed.value].timeline.isAnchored {
            deliverHeld(of: feed)
            receiveHeldSplices(of: feed)
            for (cue, place) in feeds[feed.value].takeHeldCues() { received(cue: cue, place, of: feed) }
        }
        switch reception {
        case .dropped: break
        case .placed(let times):
            for unit in units { deliver(unit, times, place, of: feed) }
        case .held(let times):
            for unit in units {
                let sample = Feed.Held(track: info.trackIndex, place: place, unit: unit, times: times, arrival: now)
                if feeds[feed.value].hold(sample) { repairs.record(RepairLog.heldTooLong, of: feeds[feed.value].id) }
            }
            if feeds[feed.value].timeline.isAnchored { deliverHeld(of: feed) }
        }
    }

    /// Notes that media comes, even where it has no place yet, or is damaged.
    private mutating func noteArrival(of packet: PacketInfo, _ feed: FeedIndex) {
        guard let time = packet.decodeTimestamp ?? packet.presentationTimestamp,
            feeds[feed.value].denseTracks.contains(packet.trackIndex)
        else { return }
        feeds[feed.value].health.arrived(track: packet.trackIndex, mediaTime: MediaTime(ticks: time), at: now)
    }

    /// Returns the usable units of a packet; nil where it is damaged.
    private mutating func usable(_ packet: ReadPacket, of feed: FeedIndex, place: TrackIndex) -> [TrackReader.Unit]? {
        let rank = feeds[feed.value].id.rank
        switch packet.content {
        case .units(let units):
            guard packet.info.isCorrupt else { return units }
            // A damaged picture may stop a player; without one Chromium goes on.
            repairs.record(RepairLog.damagedPacket, of: feeds[feed.value].id)
            feeds[feed.value].health.continuityError(at: now)
            segmenter.pictureLost(track: place, source: rank, isSync: units.contains(where: \.isSync))
        case .unreadable(let isSync, let unsupported):
            repairs.record(RepairLog.unreadablePacket, of: feeds[feed.value].id)
            // The kind of self-framing audio is known by its frames only: containers have one name, AC-3 or AAC, for
            // two kinds.
            if let unsupported {
                let track = packet.info.trackIndex
                reportOnce("track \(track): its packets are dropped, since \(unsupported) is not carried", feed)
            }
            // Later pictures may refer to it; a damaged packet may have been any picture.
            guard let isSync = isSync ?? (packet.info.isCorrupt ? true : nil) else { return nil }
            segmenter.pictureLost(track: place, source: rank, isSync: isSync)
        }
        return nil
    }

    private mutating func noteRepairs(of feed: FeedIndex) {
        for repair in feeds[feed.value].timeline.takeRepairs() {
            repairs.record(repair.rawValue, of: feeds[feed.value].id)
            if repair == .untimedPacket, feeds[feed.value].pace != .live {
                lacks("its packets have no timestamps; ffmpeg -i FEED -c copy FEED.mp4 makes some", feed)
            }
            if repair == .missingTimecode {
                report("it has no timecode that can be true, and is placed by its arrival", input: feeds[feed.value].id)
            }
            feeds[feed.value].health.timestampRepair(at: now)
        }
    }

    /// Returns the time that a packet signals itself: video leads, and audio takes its clock from it.
    private func signalledTime(of unit: TrackReader.Unit, _ packet: PacketInfo, _ feed: FeedIndex) -> SignalledTime? {
        guard configuration.clock == .timecode,
            let description = feeds[feed.value].tracks?[packet.trackIndex]?.description, description.kind == .video
        else { return nil }
        guard var label = unit.timecode else {
            return packet.producerReferenceTime.map(SignalledTime.producerReference)
        }
        label.frameRate = label.frameRate ?? description.frameRate
        return .timecode(label)
    }

    /// Delivers samples whose place is known by now.
    mutating func deliverHeld(of feed: FeedIndex) {
        if feeds[feed.value].held.isEmpty { return }
        let held = feeds[feed.value].held
        feeds[feed.value].held.removeAll()
        for sample in held {
            guard
                let times = feeds[feed.value].timeline.place(sample.times, track: sample.track, arrival: sample.arrival)
            else {
                repairs.record(TimelineRepair.implausibleClock.rawValue, of: feeds[feed.value].id)
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
        let delay = unit.delay + feeds[feed.value].shift
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
        receivedBytes += sample.payload.readableBytes
        let utcOffset = feeds[feed.value].timeline.utcOffset + feeds[feed.value].correction
        tellSparseTracks(of: feed, sample.presentationTime + utcOffset, utcOffset, from: place)
        let slots = segmenter.received(
            sample,
            track: place,
            source: feeds[feed.value].id.rank,
            configuration: unit.configuration,
            utcOffset: utcOffset,
            arrival: configuration.isPaced ? arrival ?? now : nil
        )
        decide(slots)
        let utc = sample.presentationTime + utcOffset
        feeds[feed.value].reached = max(feeds[feed.value].reached ?? utc, utc)
        if !configuration.isPaced { followStoredMedia(utc) }
    }
}

extension ChannelEngine {
    /// Reports the progress of an input by its other tracks to sparse tracks that have nothing at the moment.
    private mutating func tellSparseTracks(
        of feed: FeedIndex,
        _ utc: MediaTime,
        _ utcOffset: MediaTime,
        from place: TrackIndex
    ) {
        guard !renditions[place.value].plan.kind.isSparse, let places = feeds[feed.value].places else { return }
        for sparse in places.values where renditions[sparse.value].plan.kind.isSparse {
            segmenter.inputReached(utc, track: sparse, source: feeds[feed.value].id.rank, utcOffset: utcOffset)
        }
    }
}

// MARK: - Captions, health and alignment

extension ChannelEngine {
    /// Notes captions that a video has not carried before: they are declared from the next slot on.
    private mutating func noteCaptions(in units: [TrackReader.Unit], _ packet: PacketInfo, _ feed: FeedIndex) {
        for unit in units where !unit.captions.isEmpty {
            guard var track = feeds[feed.value].tracks?[packet.trackIndex] else { return }
            let before = track.captions
            track.captions.formUnion(CaptionServices(in: unit.captions))
            guard track.captions != before else { continue }
            feeds[feed.value].tracks?[packet.trackIndex] = track
            let new = renditions[track.place.value].plan.addCaptions(track.captions.instreamIDs)
            guard !new.isEmpty else { continue }
            mustDeclare = true
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
        guard let kind = feeds[feed.value].tracks?[packet.trackIndex]?.description.kind else { return }
        let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp ?? 0
        for unit in units {
            let observed = InputHealth.Packet(
                trackIndex: packet.trackIndex,
                kind: kind,
                byteCount: unit.payload.readableBytes,
                isSync: unit.isSync || unit.isRecoveryPoint,
                mediaTime: MediaTime(ticks: timestamp)
            )
            // Sparse tracks may have nothing for a while, which is no loss.
            if !kind.isSparse { feeds[feed.value].health.received(observed, at: now) }
            guard feeds[feed.value].isAligned, kind == .video, packet.trackIndex == feeds[feed.value].leader,
                case .placed(let times) = reception
            else { continue }
            let picture = OffsetMeter.Picture(
                fingerprint: ContentHash(of: unit.payload),
                timestamp: timestamp,
                utc: times.presentation + feeds[feed.value].timeline.utcOffset
            )
            align(picture, isSync: unit.isSync, feed)
        }
    }

    private mutating func align(_ picture: OffsetMeter.Picture, isSync: Bool, _ feed: FeedIndex) {
        let (id, side) = (feeds[feed.value].id, feeds[feed.value].side)
        if let new = alignments[id.position]?.received(picture, from: side, at: now) {
            note(.aligned, new.text, input: .backup(id.position, inputCount: configuration.inputCount))
        }
        guard isSync, let correction = alignments[id.position]?.correction(at: now) else { return }
        feeds[feed.value].correction = correction
        // On air a shift would tear a hole, or show pictures twice.
        if isOnAir(id) { return }
        let other = feeds.first { $0.id.position == id.position && $0.id.rank == 1 - id.rank }?.id
        let isOtherOnAir = other.map(isOnAir) ?? false
        feeds[feed.value].shift = alignments[id.position]?.shift(of: side, isOtherOnAir: isOtherOnAir) ?? .zero
    }

    /// Returns true if any slot is filled from this input now.
    private func isOnAir(_ id: InputID) -> Bool { renditions.contains { $0.onAir == .input(id) } }
}
