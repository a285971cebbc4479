import MediaCore
import SCTE35

/// A section's message about one splice, or about another event of the programme.
struct SpliceCue: Hashable, Sendable {
    /// The identity that a way out and the way back have in common.
    struct Event: Hashable, Sendable {
        var id: UInt32
        /// The type of the segment that begins with it; nil for splice_insert.
        var type: SegmentationType?
    }

    enum Role: Hashable, Sendable {
        /// The cue leaves the programme; the duration is in ticks of 90 kHz.
        case out(duration: UInt64?, returnsByItself: Bool)
        case back
        /// The event, of any type that it has, is cancelled.
        case cancel
        /// The cue does neither: it is only announced to players.
        case command
    }

    var event: Event?
    var role: Role
    /// The time in ticks of 90 kHz, as the feed counts them; nil for at once.
    var timestamp: Int64?
    /// The name of the event, in front of its date.
    var name: String {
        guard let event else { return "command" }
        return event.type.map { "\(event.id)-\([$0.rawValue].hex)" } ?? "\(event.id)"
    }

    /// True if it leaves the programme.
    var isOut: Bool { if case .out = role { true } else { false } }

    /// Returns true if it is about an advertisement.
    func isAdvertisement(among kinds: [AdvertisementKind]) -> Bool {
        guard role != .command, let event else { return false }
        // A cancellation has no type.
        return role == .cancel || kinds.contains { $0.segmentationType == event.type?.rawValue }
    }
}

extension SpliceInfoSection {
    /// The cues of the section, one for each segmentation type (RFC 8216bis § 4.4.5.1.1).
    ///
    /// A section that cannot be read is a command; one that only shows that its sender is alive, or keeps bandwidth,
    /// has no cue.
    var cues: [SpliceCue] {
        guard case .clear(let command, let descriptors) = content else { return [SpliceCue(role: .command)] }
        let segmentations = descriptors.compactMap { if case .segmentation(let it) = $0 { it } else { nil } }
        switch command {
        case .bandwidthReservation: return []
        case .null where segmentations.isEmpty: return []
        case .insert(let insert): return [cue(insert)]
        case .timeSignal(let time) where !segmentations.isEmpty:
            return segmentations.map { cue($0, at: time) }
        case .timeSignal(let time): return [SpliceCue(role: .command, timestamp: time.map(feedTimestamp))]
        case .null, .schedule, .privateCommand, .other: return [SpliceCue(role: .command)]
        }
    }

    private func cue(_ insert: SpliceInsert) -> SpliceCue {
        let event = SpliceCue.Event(id: insert.eventID)
        guard let details = insert.details else { return SpliceCue(event: event, role: .cancel) }
        let time: UInt64? =
            switch details.place {
            case .immediately, .componentsImmediately: nil
            case .program(let time): time
            case .components(let components): components.compactMap(\.time).first
            }
        let role = SpliceCue.Role.out(
            duration: details.duration?.ticks,
            returnsByItself: details.duration?.returnsByItself ?? false
        )
        return SpliceCue(event: event, role: details.isOut ? role : .back, timestamp: time.map(feedTimestamp))
    }

    private func cue(_ segmentation: SegmentationDescriptor, at time: UInt64?) -> SpliceCue {
        let timestamp = time.map(feedTimestamp)
        guard let details = segmentation.details else {
            let any = SpliceCue.Event(id: segmentation.eventID, type: SegmentationType(rawValue: 0))
            return SpliceCue(event: any, role: .cancel)
        }
        if details.type.isStart {
            let role = SpliceCue.Role.out(duration: details.duration, returnsByItself: false)
            let event = SpliceCue.Event(id: segmentation.eventID, type: details.type)
            return SpliceCue(event: event, role: role, timestamp: timestamp)
        }
        let event = SpliceCue.Event(id: segmentation.eventID, type: details.type.start ?? details.type)
        return SpliceCue(event: event, role: details.type.start == nil ? .command : .back, timestamp: timestamp)
    }

    private func feedTimestamp(_ time: UInt64) -> Int64 { Int64(timestamp(of: time)) }

    /// Returns the section that ends a break which ends by itself, as if its sender had sent one.
    ///
    /// - Returns: The section; nil for any other section.
    func autoReturn() -> SpliceInfoSection? {
        guard case .clear(.insert(let insert), _) = content, let details = insert.details,
            let duration = details.duration
        else { return nil }
        let end = details.place.moved(by: duration.ticks)
        var back = SpliceInsert(eventID: insert.eventID, details: SpliceInsert.Details(isOut: false, place: end))
        back.details?.programID = details.programID
        back.details?.isCompliant = details.isCompliant
        return SpliceInfoSection(.insert(back), adjustment: adjustment)
    }
}

extension SpliceInsert.Place {
    /// Returns the same place so many ticks later; a place without a time stays.
    fileprivate func moved(by ticks: UInt64) -> Self {
        let later = { (time: UInt64) in (time &+ ticks) & (1 << 33 - 1) }
        switch self {
        case .program(let time): return .program(time.map(later))
        case .components(let components):
            var components = components
            for index in components.indices { components[index].time = components[index].time.map(later) }
            return .components(components)
        case .immediately, .componentsImmediately: return self
        }
    }
}
