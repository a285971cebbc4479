import MediaCore
import Playlists
import SCTE35

/// What a later run, or a peer that comes back, goes on with.
extension SpliceSchedule {
    /// What players do not know all of.
    var plan: SplicePlan {
        var plan = SplicePlan()
        plan.currentBreak = currentBreak
        for it in breaks where !it.isEndTold {
            var splice = SplicePlan.Splice(
                name: it.name,
                input: it.input.description,
                section: it.section,
                start: it.start,
                heard: it.heard
            )
            (splice.cancelled, splice.end) = (it.cancelled, it.end)
            plan.splices.append(splice)
        }
        plan.splices += commands.map { command in
            SplicePlan.Splice(
                name: command.name,
                input: command.input.description,
                section: command.bytes,
                start: command.time,
                heard: command.heard
            )
        }
        return plan
    }

    /// Goes on with what an earlier run, or a peer, has told, and what it was to tell.
    ///
    /// What does not fit together, or cannot be read, is left out.
    ///
    /// - Parameters:
    ///   - tags: What it has told, as far as that is listed.
    ///   - plan: What is to follow.
    ///   - inputs: Of the channel.
    init(restoring tags: [DateRange], _ plan: SplicePlan = SplicePlan(), of inputs: [InputID] = []) {
        currentBreak = plan.currentBreak
        for tag in tags {
            guard let bytes = tag.spliceOut ?? tag.spliceCommand, let start = tag.start,
                let received = ReceivedCue(bytes, at: start, where: { tag.id.hasPrefix("\($0.name)-") })
            else { continue }
            guard tag.spliceOut != nil else {
                remember(received.cue, received.message)
                continue
            }
            guard var told = SpliceBreak(received) else { continue }
            told.restore(tag)
            if let end = tags.first(where: { $0.id == tag.id && $0.isEnd })?.duration {
                told.end = SpliceBreak.End(time: start + end, heard: told.heard)
                told.isEndTold = true
            }
            breaks.append(told)
        }
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
            restore(splice, received)
        }
    }

    private mutating func restore(_ splice: SplicePlan.Splice, _ received: ReceivedCue) {
        guard let new = SpliceBreak(received) else {
            _ = self.received(received)
            return
        }
        let told = breaks.lastIndex { $0.matches(new.event, at: new.start) && !$0.isEndTold }
        if told == nil { breaks.append(new) }
        let index = told ?? breaks.endIndex - 1
        let tag = breaks[index].told
        breaks[index] = new
        (breaks[index].told, breaks[index].cancelled, breaks[index].end) = (tag, splice.cancelled, splice.end)
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
