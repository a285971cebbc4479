import MediaCore
import Playlists
import SCTE35

/// What a later run, or a peer that comes back, goes on with.
extension SpliceSchedule {
    /// All of it, as far as it is not long over.
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
            (splice.cancelled, splice.told, splice.end, splice.isOver) = (it.cancelled, it.told, it.end, it.isEndTold)
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
            splice.isOver = it.isTold
            return splice
        }
        return plan
    }

    /// Goes on with what an earlier run, or a peer, has told, and what it was to tell.
    ///
    /// What does not fit together, or cannot be read, is left out.
    ///
    /// - Parameters:
    ///   - tags: What it has told, as far as that is listed.
    ///   - plan: What is known besides.
    ///   - inputs: Of the channel.
    init(restoring tags: [DateRange], _ plan: SplicePlan = SplicePlan(), of inputs: [InputID] = []) {
        currentBreak = plan.currentBreak
        for splice in plan.splices {
            let input = inputs.first { $0.description == splice.input } ?? .input(0)
            guard
                let received = ReceivedCue(
                    splice.section,
                    at: splice.start,
                    heard: splice.heard,
                    from: input,
                    where: { $0.name == splice.name }
                )
            else { continue }
            if var it = SpliceBreak(received) {
                (it.cancelled, it.told, it.end, it.isEndTold) =
                    (splice.cancelled, splice.told, splice.end, splice.isOver)
                breaks.append(it)
            } else {
                var it = SpliceCommand(received)
                it.isTold = splice.isOver
                commands.append(it)
            }
        }
        for tag in tags.merged where tag.duration == nil { restore(tag) }
    }

    /// What players know of a break that is not over, and the plan does not say: that of a version before this one.
    private mutating func restore(_ tag: DateRange) {
        guard let bytes = tag.spliceOut, let start = tag.start, !breaks.contains(where: { $0.id == tag.id }),
            let received = ReceivedCue(bytes, at: start, where: { tag.id.hasPrefix("\($0.name)-") }),
            let it = SpliceBreak(received)
        else { return }
        let planned = breaks.lastIndex { $0.told == nil && $0.matches(it.event, at: start) }
        if planned == nil { breaks.append(it) }
        breaks[planned ?? breaks.endIndex - 1].told = start
    }
}

extension ReceivedCue {
    /// Nil where the section cannot be read, or has no such cue.
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
