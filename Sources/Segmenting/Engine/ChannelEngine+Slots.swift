import Codecs
import Logging
import MediaCore
import Operations
import Playlists
import Timeline

/// From slots to what viewers get of them.
extension ChannelEngine {
    /// Slots are complete, or parts of those that follow are: what they hold is final from here on.
    mutating func decide(_ slots: [Slot]) {
        var parts = segmenter.takeParts()
        if slots.isEmpty {
            tell(parts)
            return
        }
        for (repair, place, rank) in segmenter.takeRepairs() {
            let input = input(of: place, rank: rank)
            repairs.record(repair.rawValue, of: input)
            guard !repair.leavesIndependence, let input else { continue }
            feeds[feed(input).value].health.dependentSegment(at: now)
        }
        guard joining == nil else {
            joining?.add(parts)
            joining?.add(slots)
            if isReadyToJoin { finishJoining() }
            return
        }
        var missed: [Slot] = []
        for slot in slots where !isEnded && newestBefore.map({ slot.number > $0 }) ?? true {
            // After a long outage there may be many.
            if slot.isGap {
                missed.append(slot)
                continue
            }
            publish(run: missed, telling: &parts)
            missed = []
            publish(run: [slot], telling: &parts)
        }
        publish(run: missed, telling: &parts)
        tell(parts)
    }

    /// Parts go before their slot.
    mutating func tell(_ parts: [SlotPart]) {
        guard joining == nil else {
            joining?.add(parts)
            return
        }
        for part in parts {
            guard newestBefore.map({ part.cut.number > $0 }) ?? true,
                let id = renditions[part.track.value].id
            else { continue }
            act(
                .part(
                    PartDecision(
                        id: id,
                        form: form(of: part.track),
                        index: part.index,
                        cut: part.cut,
                        startsDiscontinuity: part.startsDiscontinuity,
                        keyClass: keyClass(of: part.track, part.cut)
                    )
                )
            )
        }
    }

    func input(of place: TrackIndex, rank: Int) -> InputID? {
        let position = renditions[place.value].plan.position
        return configuration.inputs.first { $0.rank == rank && $0.position == position }
    }

    /// Publishes one slot, or several that are nothing but gaps, after their parts: those of later slots follow them.
    private mutating func publish(run slots: [Slot], telling parts: inout [SlotPart]) {
        guard let first = slots.first, let last = slots.last else { return }
        tell(parts.filter { $0.cut.number <= last.number })
        parts.removeAll { $0.cut.number <= last.number }
        declareRenditions(for: first)
        publish(slots.map { decision(on: $0) })
    }

    private mutating func decision(on slot: Slot) -> SlotDecision {
        let dateRanges = slot.reach.map { programme.tell($0) } ?? DateRangeLines()
        let sections = configuration.hasSpliceMessages ? dateRanges.all.compactMap(TimedSection.init) : []
        var segments: [SlotDecision.Segment] = []
        for place in slot.tracks {
            guard let cut = slot.segments[place.value], let id = renditions[place.value].id else { continue }
            var contents = contents(of: slot, cut, at: place)
            if renditions[place.value].plan.format.carriesMessages { contents.sections = sections }
            renditions[place.value].keyClass = keyClass(of: place, cut)
            segments.append(
                SlotDecision.Segment(
                    id: id,
                    form: form(of: place),
                    contents: contents,
                    keyClass: renditions[place.value].keyClass
                )
            )
            if !cut.isGap { renditions[place.value].restored = nil }
        }
        if let start = slot.segments.lazy.compactMap({ $0?.start.utc }).min(),
            !positionsWithTags.isEmpty || !programme.tags.isEmpty
        {
            discardTags(before: start - configuration.grid.slotDuration)
        }
        let withdrawn = renditions.range.filter { segmenter.isWithdrawn(track: $0) }
        return SlotDecision(
            number: slot.number,
            followsLeap: slot.followsLeap,
            startsDiscontinuity: slot.startsDiscontinuity,
            segments: segments,
            withdrawn: Set(withdrawn.compactMap { renditions[$0.value].id }),
            keyClasses: keyClassesInUse,
            notes: deferred { engine in
                engine.noteChanges(slot)
                engine.noteMisalignment(slot)
                engine.noteSplice(slot)
                engine.noteEnds(in: dateRanges, slot.number)
                engine.noteKeyBudget()
            },
            dateRanges: programme.withInterstitials(dateRanges),
            splicePlan: splicePlan(after: slot.number)
        )
    }

    private func form(of place: TrackIndex) -> SegmentForm {
        let plan = renditions[place.value].plan
        let audio = renditions.first { $0.plan.carrier == place }?.plan
        return SegmentForm(
            kind: plan.kind,
            format: plan.format,
            container: configuration.format,
            language: plan.language,
            carriesAudio: audio != nil,
            audioLanguage: audio?.language
        )
    }

    /// What goes into a segment besides what was cut for it.
    private mutating func contents(of slot: Slot, _ cut: CutSegment, at place: TrackIndex) -> SegmentContents {
        let plan = renditions[place.value].plan
        var contents = SegmentContents(cut)
        contents.tags = tags(in: cut, of: slot, at: place)
        if case .text = plan.kind {
            (contents.mediaOffset, contents.mediaOffsetAtEnd) = mediaOffsets(of: slot, for: cut)
        } else if case let scheduled = programme.tags(in: cut), !scheduled.isEmpty {
            contents.tags = ((contents.tags ?? []) + scheduled).sorted { $0.utc < $1.utc }
        }
        guard plan.format.carriesAudioWithPictures else { return contents }
        if let audio = renditions.range.first(where: { renditions[$0.value].plan.carrier == place }) {
            contents.audio = slot.segments[audio.value].flatMap { $0.isGap ? nil : $0 }
            contents.audioConfiguration = contents.audio?.configuration ?? slot.configuration(of: audio)
            contents.awaitsAudio = !segmenter.isWithdrawn(track: audio)
        }
        return contents
    }

    /// What the feed on air has to say meanwhile; nil where it never says anything.
    ///
    /// Transport streams have the tags of their own feed. Renditions of fMP4, and of packed audio, all have the same, for
    /// players read them in one or the other.
    private func tags(in cut: CutSegment, of slot: Slot, at place: TrackIndex) -> [TimedTag]? {
        let plan = renditions[place.value].plan
        let positions = positionsWithTags.contains(plan.position) ? [plan.position] : positionsWithTags.sorted()
        let places: [TrackIndex]
        switch plan.format.metadataFeeds {
        case .own where positions == [plan.position]: places = [place]
        case .all where !positions.isEmpty:
            places = [place] + renditions.range.filter { positions.contains(renditions[$0.value].plan.position) }
        case .none, .own, .all: return nil
        }
        let inputs = places.lazy.compactMap { place in slot.sources[place.value].flatMap { input(of: place, rank: $0) }
        }
        if let onAir = inputs.first(where: { positions.contains($0.position) }) {
            return feeds[feed(onAir).value].tags.tags(in: cut)
        }
        // Where none has media, the first that has something to say.
        let tags = feeds.lazy.filter { positions.contains($0.id.position) }.map { $0.tags.tags(in: cut) }
        return tags.first { !$0.isEmpty } ?? []
    }

    /// Renditions are declared with their first media, and again when a decoder configuration has changed.
    private mutating func declareRenditions(for slot: Slot) {
        splitAudio(of: slot)
        let hasNew = slot.tracks.contains { place in
            let (cut, rendition) = (slot.segments[place.value], renditions[place.value])
            return cut != nil && rendition.id == nil && rendition.plan.carrier == nil
                || rendition.restored != nil && cut?.configuration != nil
                || rendition.plan.carrier != nil && cut?.configuration != nil && !rendition.isDeclaredAudio
        }
        guard hasNew || slot.startsDiscontinuity || mustDeclare else { return }
        mustDeclare = false
        let restored = renditions.range.compactMap { place in
            renditions[place.value].restored.map { (place, $0.description) }
        }
        let descriptions = RenditionPlan.describe(
            renditions.map(\.plan),
            configurations: renditions.range.map { slot.configuration(of: $0) },
            names: renditions.map(\.id),
            vacant: vacant,
            restored: Dictionary(uniqueKeysWithValues: restored)
        )
        for place in renditions.range {
            if renditions[place.value].id == nil, let description = descriptions[place.value] {
                warnOfSlate(description)
            }
            renditions[place.value].id = descriptions[place.value]?.id
            if renditions[place.value].plan.carrier != nil, slot.configuration(of: place) != nil {
                renditions[place.value].isDeclaredAudio = true
            }
        }
        act(.declare(descriptions.compactMap(\.self), isNew: hasNew))
    }

    /// Gives audio that pictures cannot carry a rendition of its own: what it is decoded with is known by now.
    private mutating func splitAudio(of slot: Slot) {
        for place in renditions.range {
            guard let video = renditions[place.value].plan.carrier, let audio = slot.configuration(of: place),
                configuration.carriage.problem(with: audio, in: renditions[video.value].plan.format) != nil
            else { continue }
            renditions[place.value].plan.carrier = nil
            renditions[place.value].isDeclaredAudio = false
            mustDeclare = true
        }
    }

    /// Says before it is needed that the slate cannot fill a rendition.
    private mutating func warnOfSlate(_ rendition: RenditionDescription) {
        guard case .slate(let slate) = configuration.filler, let codec = rendition.codecs.first,
            let problem = slate.mismatch(with: rendition.kind, of: codec)
        else { return }
        report("\(rendition.id): \(problem)", input: .input(rendition.input))
    }
}
