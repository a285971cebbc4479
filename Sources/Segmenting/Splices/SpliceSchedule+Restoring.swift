import MediaCore
import Playlists
import SCTE35

/// State for a later run, or for a peer that comes back.
extension SpliceSchedule {
    /// All breaks and commands except those that are long over.
    var plan: SplicePlan {
        var plan = SplicePlan()
        plan.currentBreak = currentBreak
        plan.splices = breaks.map { it in
            var splice = SplicePlan.Splice(
                name: it.name,
                input: it.input.description,
                section: it.section,
                start: it.start,
                heard: it.heard
            )
            (splice.cancelled, splice.announcedStart, splice.end, splice.isOver) = (
                it.cancelled, it.announcedStart, it.end, it.isEndAnnounced
            )
            splice.hasExactID = it.hasExactID
            return splice
        }
        plan.splices += commands.map { it in
            var splice = SplicePlan.Splice(
                name: it.name,
                input: it.input.description,
                section: it.bytes,
                start: it.time,
                heard: it.heard
            )
            splice.isOver = it.isAnnounced
            return splice
        }
        return plan
    }

    /// Continues with the tags and the plan of an earlier run, or of a peer.
    ///
    /// Parts that do not fit together, or cannot be read, are left out.
    ///
    /// - Parameters:
    ///   - tags: The tags of it that are listed.
    ///   - plan: The plan of splices.
    ///   - inputs: The inputs of the channel.
    init(restoring tags: [DateRange], _ plan: SplicePlan = SplicePlan(), of inputs: [InputID] = []) {
        currentBreak = plan.currentBreak
        for splice in plan.splices {
            let input = inputs.first { $0.description == splice.input } ?? .input(0)
            // A message may also end a break that has the same name.
            let isBreak = splice.announcedStart != nil || splice.end != nil
            guard
                let received = ReceivedCue(
                    splice.section,
                    at: splice.start,
                    heard: splice.heard,
                    from: input,
                    where: { $0.name == splice.name && (!isBreak || $0.isOut) }
                )
            else { continue }
            if var it = SpliceBreak(received) {
                (it.cancelled, it.announcedStart, it.end, it.isEndAnnounced) =
                    (splice.cancelled, splice.announcedStart, splice.end, splice.isOver)
                it.hasExactID = splice.hasExactID
                breaks.append(it)
            } else {
                var it = SpliceCommand(received)
                it.isAnnounced = splice.isOver
                commands.append(it)
            }
        }
        for tag in tags.merged where tag.duration == nil { restore(tag) }
    }

    /// Restores a break that players know, that is not over, and that the plan does not have: an earlier version has
    /// announced it.
    private mutating func restore(_ tag: DateRange) {
        guard let bytes = tag.spliceOut, let start = tag.start, !breaks.contains(where: { $0.id == tag.id }),
            let received = ReceivedCue(bytes, at: start, where: { $0.isOut && tag.id.hasPrefix("\($0.name)-") }),
            let it = SpliceBreak(received)
        else { return }
        let planned = breaks.lastIndex { $0.announcedStart == nil && $0.matches(it.event, at: start) }
        if planned == nil { breaks.append(it) }
        breaks[planned ?? breaks.endIndex - 1].announcedStart = start
    }
}

extension ReceivedCue {
    /// Finds a cue in a section; nil if the section cannot be read, or has no such cue.
    fileprivate init?(
        _ section: [UInt8],
        at time: MediaTime,
        heard: MediaTime? = nil,
        from input: InputID = .input(0),
        where isMeant: (SpliceCue) -> Bool
    ) {
        guard let message = try? SpliceMessage(reading: section.span.bytes),
            let cue = message.section.cues.first(where: isMeant)
        else { return nil }
        self.init(cue: cue, message: message, time: time, heard: heard ?? time, input: input)
    }
}
