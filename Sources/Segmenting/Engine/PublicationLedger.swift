import ContentProtection
import MediaCore
import Playlists
import Timeline

/// Makes the decisions that depend on the order in which slots are published, as they leave the engine.
///
/// The segmenter decides on the content of a slot, which may then wait for keys. Earlier slots are known only here.
struct PublicationLedger: Sendable {
    private let configuration: ChannelEngine.Configuration
    private let clearLead: ClearLead
    /// The first slot that was ever listed, here or in the window that this continues from.
    private var ownFirst: MediaSequenceNumber?
    /// The first slot that a peer has ever listed.
    private var firstOfPeer: MediaSequenceNumber?
    /// The number of slots with media that were not listed before the first was.
    private var passedOverCount = 0
    /// The fingerprints of each rendition's newest media.
    private var fingerprints: [RenditionID: FingerprintTrail] = [:]
    private var memory = SegmentFingerprints()
    /// The slots whose first parts need another decoder configuration than the media before, while they are not over.
    private var begun: Set<MediaSequenceNumber> = []
    /// The open slots with published parts, and true for those in the clear lead.
    ///
    /// All parts of a slot are protected alike, even if the channel's first slot is corrected before its end.
    private var settledLeads: [MediaSequenceNumber: Bool] = [:]
    /// The newest keys of each rendition, once for each key system.
    private var keys: [RenditionID: [KeyReference]] = [:]
    /// The time, in UTC, from which on the keys are used that were announced last.
    private var announced: MediaTime?
    private(set) var window: ListedWindow
    /// The newest slot of an earlier run, or of a peer, that the channel continues from; nil for none.
    var newestBefore: MediaSequenceNumber?
    /// The renditions of the next slots, in the order in which players see them.
    private var declared: [RenditionDescription] = []
    /// True if some of them have been in no slot yet.
    private var hasNew = false
    /// The renditions that have left; slots that were decided before may still have gaps of them.
    private var left: Set<RenditionID> = []
    /// The renditions whose segments could not be written.
    private var unwritable: Set<RenditionID> = []

    /// The number of slots with media that are passed over, before anything is listed, for a rendition that has none.
    static let patience = 3

    /// - Parameters:
    ///   - configuration: The configuration of the channel.
    ///   - length: The length of playlists; nil if they never lose a slot.
    init(_ configuration: ChannelEngine.Configuration, length: WindowLength? = nil) {
        self.configuration = configuration
        window = ListedWindow(length: length)
        clearLead = ClearLead(configuration)
    }

    /// The first slot that was ever listed, here, in the window that this continues from, or by a peer; nil if none was.
    var first: MediaSequenceNumber? { [ownFirst, firstOfPeer].compactMap(\.self).min() }

    /// Returns true if a slot is this packager's to publish.
    func isOwn(_ slot: MediaSequenceNumber) -> Bool { newestBefore.map { slot > $0 } ?? true }

    /// Continues from the window of an earlier run, or of a peer.
    mutating func restore(_ window: PublishedWindow) {
        ownFirst = window.first
        declared = window.renditions
        guard window.isListed else { return }
        self.window.restore(window.slots)
        // The next media may need another decoder configuration.
        for (id, edge) in window.edges { fingerprints[id] = FingerprintTrail(edge.fingerprint) }
        begun.formUnion(window.open.values.joined().filter(\.startsDiscontinuity).map(\.number))
    }

    /// Notes that a peer has begun with a slot, perhaps with an earlier one.
    mutating func peerBegan(_ slot: MediaSequenceNumber) { firstOfPeer = min(firstOfPeer ?? slot, slot) }

    /// Declares the renditions of slots from now on.
    ///
    /// - Parameters:
    ///   - renditions: The renditions, in the order in which players see them.
    ///   - isNew: True if some were not there before.
    mutating func declare(_ renditions: [RenditionDescription], isNew: Bool = false) {
        if isNew { hasNew = true }
        declared = renditions
        let ids = Set(renditions.map(\.id))
        fingerprints = fingerprints.filter { ids.contains($0.key) }
        keys = keys.filter { ids.contains($0.key) }
        left.formIntersection(ids)
        unwritable.formIntersection(ids)
    }

    /// Leaves a rendition out of the slots to come if it would remain a gap: if no listed slot has media of it, while
    /// others have had some.
    ///
    /// - Parameter id: A rendition that no input has.
    /// - Returns: True if it leaves.
    mutating func leave(_ id: RenditionID) -> Bool {
        guard window.isAbandoned(id), left.insert(id).inserted else { return false }
        (fingerprints[id], keys[id]) = (nil, nil)
        return true
    }

    /// Notes a segment that could not be written.
    ///
    /// - Returns: True if its rendition is left out from now on.
    mutating func notWritten(
        _ id: RenditionID,
        in slot: MediaSequenceNumber,
        _ fallback: ChannelEngine.SlotDecision.Fallback
    ) -> Bool {
        window.notWritten(id, in: slot, fallback)
        return fallback == .nothing && unwritable.insert(id).inserted
    }

    /// Notes that a slot that was to be the first is not listed, since a segment of it could not be written.
    mutating func passedOver(_ slot: MediaSequenceNumber) {
        window.passedOver(slot)
        guard ownFirst == slot else { return }
        ownFirst = nil
        passedOverCount += 1
    }

    /// Completes slots that are published now, in order.
    mutating func complete(_ decisions: [ChannelEngine.SlotDecision]) -> [ChannelEngine.SlotDecision] {
        decisions.map { complete($0) }
    }

    private mutating func complete(_ decision: ChannelEngine.SlotDecision) -> ChannelEngine.SlotDecision {
        var decision = decision
        leaveOut(of: &decision)
        (decision.hasNewRenditions, hasNew) = (hasNew, false)
        decision.writing = writingTime(of: decision)
        if !configuration.isPaced { decision.publishedAt = configuration.grid.start(of: decision.number.next) }
        for index in decision.segments.indices { protect(&decision.segments[index], in: decision.number) }
        if let slotKeys = decision.keys {
            let classes = decision.segments.compactMap { segment in segment.keyClass.map { (segment.id, $0) } }
            decision.announcement = announcement(
                slotKeys,
                at: decision.number,
                of: Dictionary(classes) { first, _ in first }
            )
        }
        for index in decision.segments.indices {
            if identify(&decision.segments[index]) { decision.startsDiscontinuity = true }
            fingerprints[decision.segments[index].id]?.end(decision.number)
        }
        if !settledLeads.isEmpty { settledLeads = settledLeads.filter { $0.key > decision.number } }
        if !begun.isEmpty {
            // Its parts were already published as a discontinuity.
            if begun.contains(decision.number) { decision.startsDiscontinuity = true }
            begun = begun.filter { $0 > decision.number }
        }
        begin(with: &decision)
        for index in decision.segments.indices where !decision.segments[index].contents.isGap {
            decision.segments[index].fallback = fallback(of: decision.segments[index].id)
        }
        window.append(decision)
        return decision
    }

    /// Completes parts that are published now, in order: their slots have the same protection, and begin as they do.
    mutating func complete(_ parts: [ChannelEngine.PartDecision]) -> [ChannelEngine.PartDecision] {
        var parts = parts.map { complete($0) }
        // All renditions begin a slot alike, with their first parts.
        for index in parts.indices where parts[index].index == 0 && begun.contains(parts[index].cut.number) {
            parts[index].startsDiscontinuity = true
        }
        return parts
    }

    private mutating func complete(_ part: ChannelEngine.PartDecision) -> ChannelEngine.PartDecision {
        var part = part
        let number = part.cut.number
        part.renditions = declared.filter { !left.contains($0.id) }
        part.hasNewRenditions = hasNew
        settledLeads[number] = isInClearLead(number)
        part.contents.protection = protection(part.contents.protection, in: number)
        var segment = ChannelEngine.SlotDecision.Segment(id: part.id, form: part.form, contents: part.contents)
        if identify(&segment), part.index == 0 { begun.insert(number) }
        part.fingerprint = segment.fingerprint
        return part
    }

    /// Takes renditions out of a slot that have left or could not be written; those with media are tried again.
    private mutating func leaveOut(of decision: inout ChannelEngine.SlotDecision) {
        decision.renditions = declared
        if left.isEmpty, unwritable.isEmpty { return }
        for segment in decision.segments where !segment.contents.isGap { left.remove(segment.id) }
        let gaps = decision.segments.filter(\.contents.isGap).map(\.id)
        let leaving = Set(gaps).intersection(left.union(unwritable))
        decision.segments.removeAll { leaving.contains($0.id) }
        decision.renditions.removeAll { leaving.contains($0.id) || left.contains($0.id) }
    }

    /// Decides on the replacement of a segment that cannot be written: a gap if viewers have media of it already,
    /// because then this rendition can be written.
    private mutating func fallback(of id: RenditionID) -> ChannelEngine.SlotDecision.Fallback {
        guard window.hasMedia(of: id) else { return .nothing }
        unwritable.remove(id)
        return .gap
    }

    /// Announces keys before the first slot.
    ///
    /// - Parameters:
    ///   - slotKeys: The keys around the next slot.
    ///   - slot: The next slot.
    ///   - classes: The class of each rendition that has one.
    /// - Returns: The announcement to players.
    mutating func announce(
        _ slotKeys: SlotKeys,
        at slot: MediaSequenceNumber,
        of classes: [RenditionID: KeyClass]
    ) -> KeyAnnouncement {
        for (id, keyClass) in classes { keys[id] = slotKeys.keys[keyClass] ?? keys[id] }
        return announcement(slotKeys, at: slot, of: classes)
    }

    private func announcement(
        _ slotKeys: SlotKeys,
        at slot: MediaSequenceNumber,
        of classes: [RenditionID: KeyClass]
    ) -> KeyAnnouncement {
        var announcement = KeyAnnouncement(sessionKeys: slotKeys.sessionKeys, terms: keys)
        let next = clearLead.nextKeys(slotKeys, at: slot, first: first)
        announcement.firstUse = next?.start
        if let system = configuration.hintedKey {
            let hints = (next?.keys ?? [:]).compactMapValues { keys in keys.first { $0.system == system } }
            announcement.hints = classes.compactMapValues { hints[$0] }
        }
        return announcement
    }

    /// Returns the time from which on the announced keys are used; nil if they were announced before, or none is.
    mutating func news(of announcement: KeyAnnouncement) -> MediaTime? {
        guard !announcement.hints.isEmpty, announcement.firstUse != announced else { return nil }
        announced = announcement.firstUse
        return announced
    }

    /// Leaves a segment unencrypted if it lies in the clear lead.
    private mutating func protect(_ segment: inout ChannelEngine.SlotDecision.Segment, in slot: MediaSequenceNumber) {
        if case .keys(let keys) = segment.contents.protection { self.keys[segment.id] = keys }
        segment.contents.protection = protection(segment.contents.protection, in: slot)
    }

    private func protection(_ protection: SegmentProtection, in slot: MediaSequenceNumber) -> SegmentProtection {
        if case .keys = protection, isInClearLead(slot) { .clearLead } else { protection }
    }

    private func isInClearLead(_ slot: MediaSequenceNumber) -> Bool {
        settledLeads[slot] ?? clearLead.covers(slot, first: first)
    }

    /// Sets the fingerprint of a segment; it counts even if the segment cannot be written, so that the members of a
    /// pair agree.
    ///
    /// - Returns: True if the rendition's last media had another decoder configuration.
    private mutating func identify(_ segment: inout ChannelEngine.SlotDecision.Segment) -> Bool {
        guard let fingerprint = memory.fingerprint(of: segment, isSampleEncrypted: configuration.isSampleEncrypted)
        else {
            return false
        }
        segment.fingerprint = fingerprint
        let number = segment.contents.cut.number
        let before = fingerprints[segment.id, default: FingerprintTrail()].note(fingerprint, of: number)
        return before.map { $0 != fingerprint } ?? false
    }

    /// Decides on the condition for a slot to be the first that is listed.
    ///
    /// A stream starts with media in every rendition. A rendition that stays away holds the others up for ``patience``
    /// slots, or for none if the stream starts anew, and joins later.
    private mutating func begin(with decision: inout ChannelEngine.SlotDecision) {
        guard ownFirst == nil else { return }
        decision.waitsForAll = passedOverCount < Self.patience
        let having = decision.segments.count { !$0.contents.isGap }
        if having == decision.segments.count || having > 0 && !decision.waitsForAll {
            ownFirst = decision.number
        } else if having > 0 {
            passedOverCount += 1
        }
    }

    /// The time that the segments of a slot may take to be written; nil for any time, since stored feeds can wait.
    ///
    /// A new version of a playlist comes no later than 1.5 target durations after the one before (RFC 8216bis § 6.2.2).
    /// This counts from the decision: a rendition that is always slow does not make the channel later and later. After
    /// that, a quarter of a slot is left for the others.
    private func writingTime(of decision: ChannelEngine.SlotDecision) -> WritingTime? {
        guard configuration.isPaced else { return nil }
        let slot = configuration.grid.slotDuration
        let promise = MediaTime(milliseconds: Int64(configuration.grid.targetDuration) * 1_500)
        return WritingTime(latest: promise - slot - decision.waited, least: MediaTime(ticks: slot.ticks / 4))
    }
}
