import ContentProtection
import Dispatch
import Logging
import MediaCore
import Operations
import Packaging
import Playlists
import Presentation
import Segmenting
import Timeline

/// The way from decided slots to published ones.
extension Publisher {
    /// Publishes one slot, or several that are nothing but gaps.
    mutating func publish(run decisions: [ChannelEngine.SlotDecision]) {
        guard let last = decisions.last else { return }
        let slots = decisions.map { write($0) }
        declare(last, with: slots.last)
        if decisions.contains(where: \.hasNewRenditions) { warnOfIdlePins(among: last.renditions) }
        if let announcement = last.announcement {
            announce(announcement)
        }
        let isAppended = append(slots, at: last.publishedAt ?? clock.now)
        if !hasBegun { noteBeginning(with: slots) }
        guard isAppended else { return }
        for (decision, slot) in zip(decisions, slots) {
            for note in decision.notes { reporter.report(note) }
            let gaps = slot.segments.values.count { $0.media == nil }
            reporter.logger.debug(
                "slot published",
                metadata: ["slot": .number(Int(slot.number.value)), "gaps": .number(gaps)]
            )
        }
    }

    /// Passes the engine's announcement of keys on to the playlists.
    func announce(_ announcement: KeyAnnouncement) {
        // A new process may know no keys yet, but those of the listed segments have not changed.
        if let keys = announcement.sessionKeys {
            presentation.setSessionKeys(keys.compactMap(encryption.playlistKey))
        }
        presentation.setPlaybackTerms(announcement.terms.mapValues { PlaybackTerms($0) })
        guard let firstUse = announcement.firstUse else { return presentation.setKeyHints([:]) }
        presentation.setKeyHints(
            announcement.hints.compactMapValues(encryption.playlistKey).mapValues {
                KeyHint(key: $0, firstUse: firstUse)
            }
        )
    }

    /// Tells the engine about slots that are not listed, because the playlists cannot begin with them.
    private mutating func noteBeginning(with slots: [PublishedSlot]) {
        let first = presentation.firstNumber
        hasBegun = first != nil
        for slot in slots where first.map({ slot.number < $0 }) ?? true { feedback.append(.passedOver(slot.number)) }
    }

    /// Writes a slot's segments, all renditions side by side.
    mutating func write(_ decision: ChannelEngine.SlotDecision) -> PublishedSlot {
        var slot = PublishedSlot(
            number: decision.number,
            followsLeap: decision.followsLeap,
            startsDiscontinuity: decision.startsDiscontinuity,
            segments: [:]
        )
        slot.waitsForAll = decision.waitsForAll
        (slot.dateRanges, slot.splicePlan) = (decision.dateRanges, decision.splicePlan)
        (slot.withdrawn, slot.lacksKeys) = (decision.withdrawn, decision.lacksKeys)
        // A gap without parts leaves nothing to write.
        let begun = decision.segments.map { segment in
            let isNothing = segment.contents.isGap && segment.contents.partCount == 0
            return (segment, isNothing ? nil : writers.begin(segment, of: decision.number))
        }
        let deadlines = deadlines(of: decision)
        for (segment, outcome) in begun {
            let cut = segment.contents.cut
            slot.segments[segment.id] = PublishedSegment(gap: cut)
            let result = outcome?.wait(until: segment.contents.partCount > 0 ? deadlines.inParts : deadlines.whole)
            if segment.contents.isGap { continue }
            switch result {
            case .success(var written)?:
                if written.media != nil { written.fingerprint = segment.fingerprint }
                if keepsKeyFrames { written.keyFrame = cut.newestKeyFrame }
                slot.segments[segment.id] = written
            case .failure(let error)?:
                if segment.fallback == .nothing { slot.segments[segment.id] = nil }
                feedback.append(.notWritten(segment.id, slot.number, segment.fallback, reason: "\(error)"))
            case nil:
                // The rendition itself can be written, without doubt.
                feedback.append(.notWritten(segment.id, slot.number, .gap, reason: "it was not written in time"))
            }
        }
        return slot
    }

    /// Declares the renditions of a slot to the presentation if they have changed.
    private mutating func declare(_ decision: ChannelEngine.SlotDecision, with slot: PublishedSlot?) {
        writers.keep(decision.segments, of: decision.number)
        let listed = decision.renditions.filter { slot?.segments[$0.id] != nil }
        guard listed != declared else { return }
        declared = listed
        presentation.declare(renditions: listed)
    }

    /// Returns the deadlines for the segments of a slot: one for segments that are written now, one for those with
    /// written parts.
    func deadlines(of decision: ChannelEngine.SlotDecision) -> (whole: DispatchTime, inParts: DispatchTime) {
        guard let time = decision.writing else { return (.distantFuture, .distantFuture) }
        let now = DispatchTime.now()
        let whole = max(decidedAt + time.latest.interval, now + time.least.interval)
        return (whole, writers.patience.map { now + max($0, time.least).interval } ?? whole)
    }
}

extension MediaTime {
    fileprivate var interval: DispatchTimeInterval { .milliseconds(Int(milliseconds)) }
}

extension PlaybackTerms {
    /// - Parameter keys: The keys of one content key, one for each key system.
    fileprivate init(_ keys: [KeyReference]) {
        let allowed = keys.compactMap(\.allowedCPC)
        self.init(
            hdcpLevel: keys.first?.displayProtection.map { HDCPLevel($0) },
            allowedCPC: allowed.isEmpty ? nil : allowed.joined(separator: ",")
        )
    }
}
