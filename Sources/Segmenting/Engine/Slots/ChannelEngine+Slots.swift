import Codecs
import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// The way from slots to published segments.
extension ChannelEngine {
    /// Decides complete slots, and parts of the slots after them; their content is final from here on.
    mutating func decide(_ slots: [Slot]) {
        let parts = tagged(segmenter.takeParts())
        if !slots.isEmpty { noteRepairsOfCuts() }
        guard joining == nil else {
            joining?.add(slots, parts)
            if !slots.isEmpty, isReadyToJoin { finishJoining() }
            return
        }
        publish(slots, emitting: parts)
    }

    /// Records the repairs that cutters have made since the last call.
    mutating func noteRepairsOfCuts() {
        for (repair, place, rank) in segmenter.takeRepairs() {
            let input = input(of: place, rank: rank)
            watches.repairs.record(repair.rawValue, of: input)
            guard !repair.leavesIndependence, let input else { continue }
            inputs[feed(input)].health.dependentSegment(at: now)
        }
    }

    /// Publishes those of slots and parts that are this packager's.
    mutating func publish(_ slots: [Slot], emitting parts: [SlotPart]) {
        var parts = parts
        var missed: [Slot] = []
        for slot in slots where !isEnded && ledger.isOwn(slot.number) {
            // After a long outage there may be many.
            if slot.isGap {
                missed.append(slot)
                continue
            }
            publish(run: missed, emitting: &parts)
            missed = []
            publish(run: [slot], emitting: &parts)
        }
        publish(run: missed, emitting: &parts)
        emit(parts)
    }

    /// Publishes parts, which go before their slot.
    private mutating func emit(_ parts: [SlotPart]) {
        for part in parts {
            guard ledger.isOwn(part.cut.number), let id = renditions[part.track].id else { continue }
            var decision = PartDecision(
                id: id,
                form: renditions.form(of: part.track, in: configuration.format),
                index: part.index,
                contents: SegmentContents(part.cut, tags: part.tags),
                startsDiscontinuity: part.startsDiscontinuity,
                keyClass: keyClass(of: part.track, part.cut)
            )
            decision.isLast = part.isLast
            act(.part(decision))
            noteKeyFrames(of: part)
        }
    }

    func input(of place: TrackIndex, rank: SourceRank) -> InputID? {
        let position = renditions[place].plan.position
        return configuration.inputs.first { $0.rank == rank && $0.position == position }
    }

    /// Publishes one slot, or several that are nothing but gaps, after their parts: those of later slots follow them.
    private mutating func publish(run slots: [Slot], emitting parts: inout [SlotPart]) {
        guard let first = slots.first, let last = slots.last else { return }
        emit(parts.filter { $0.cut.number <= last.number })
        parts.removeAll { $0.cut.number <= last.number }
        declareRenditions(for: first)
        publish(slots.map { decision(on: $0) })
    }

    private mutating func decision(on slot: Slot) -> SlotDecision {
        let dateRanges = slot.reach.map { programme.announce($0) } ?? DateRangeLines()
        let unsignalledEnds = slot.reach == nil ? [] : programme.unsignalledEnds
        let sections = configuration.hasSpliceMessages ? dateRanges.all.compactMap(TimedSection.init) : []
        var segments: [SlotDecision.Segment] = []
        for place in slot.tracks {
            guard let cut = slot.segments[place.value], let id = renditions[place].id else { continue }
            var contents = contents(of: slot, cut, at: place)
            if renditions[place].plan.format.carriesMessages { contents.sections = sections }
            renditions[place].keyClass = keyClass(of: place, cut)
            segments.append(
                SlotDecision.Segment(
                    id: id,
                    form: renditions.form(of: place, in: configuration.format),
                    contents: contents,
                    keyClass: renditions[place].keyClass
                )
            )
            if !cut.isGap { renditions[place].restored = nil }
        }
        if let start = slot.segments.lazy.compactMap({ $0?.start.utc }).min(),
            !inputs.positionsWithTags.isEmpty || !programme.tags.isEmpty
        {
            discardTags(before: start - configuration.grid.slotDuration)
        }
        return SlotDecision(
            number: slot.number,
            followsLeap: slot.followsLeap,
            startsDiscontinuity: slot.startsDiscontinuity,
            segments: segments,
            withdrawn: Set(withdrawn.compactMap { renditions[$0].id }),
            keyClasses: keyClassesInUse,
            notes: deferred { engine in
                engine.noteChanges(slot)
                engine.noteMisalignment(slot)
                engine.noteSplice(slot)
                engine.noteEnds(of: unsignalledEnds, slot.number)
                engine.noteKeyBudget()
            },
            dateRanges: programme.withInterstitials(dateRanges),
            splicePlan: splicePlan(after: slot.number)
        )
    }

    /// Returns the contents of a segment: its media, and the audio, tags and offsets that belong to it.
    private mutating func contents(of slot: Slot, _ cut: CutSegment, at place: TrackIndex) -> SegmentContents {
        let plan = renditions[place].plan
        var contents = SegmentContents(cut, tags: tags(in: cut, of: slot, at: place))
        if case .text = plan.kind {
            (contents.mediaOffset, contents.mediaOffsetAtEnd) = mediaOffsets(of: slot, for: cut)
        }
        guard plan.format.carriesAudioWithPictures else { return contents }
        if let audio = renditions.audio(in: place) {
            contents.audio = slot.segments[audio.value].flatMap { $0.isGap ? nil : $0 }
            contents.audioConfiguration = contents.audio?.configuration ?? slot.configuration(of: audio)
            contents.awaitsAudio = !segmenter.isWithdrawn(track: audio)
        }
        return contents
    }

    /// The places that no input has.
    private var withdrawn: [TrackIndex] { renditions.indices.filter { segmenter.isWithdrawn(track: $0) } }

    /// Declares renditions with their first media, and again when a decoder configuration has changed.
    private mutating func declareRenditions(for slot: Slot) {
        renditions.splitAudio(of: slot, configuration.carriage)
        renditions.separateAudio(of: slot, withdrawn: withdrawn)
        let hasNew = renditions.hasNew(in: slot)
        guard hasNew || slot.startsDiscontinuity || renditions.mustDeclare else { return }
        act(.declare(nameRenditions(of: slot), isNew: hasNew))
    }

    /// Names the renditions of a slot that have no names yet.
    ///
    /// - Returns: The descriptions of all renditions.
    @discardableResult
    mutating func nameRenditions(of slot: Slot) -> [RenditionDescription] {
        let (all, named) = renditions.describe(slot, vacant: vacant)
        for description in named { warnOfSlate(description) }
        return all
    }

    /// Reports before it is needed that the slate cannot fill a rendition.
    private mutating func warnOfSlate(_ rendition: RenditionDescription) {
        guard case .slate(let slate) = configuration.filler, let codec = rendition.codecs.first else { return }
        let input = InputID.input(rendition.input)
        if let problem = slate.mismatch(with: rendition.kind, of: codec) {
            return report("\(rendition.id): \(problem)", .notOfTheSlate, input: input)
        }
        guard rendition.kind == .video, let distance = slate.keyFrameDistance,
            distance > configuration.grid.slotDuration
        else { return }
        let problem = "the key frames of the slate are \(distance.seconds) s apart, further than a segment is long"
        report("\(rendition.id): \(problem)", .repeatedSlate, input: input)
    }
}
