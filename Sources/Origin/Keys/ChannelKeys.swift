package import ContentProtection
package import KeyServing
package import MediaCore
package import NIOCore
package import Presentation
package import Recording

/// Gives out the keys of one channel.
///
/// These are the keys of listed and retained segments, of the next period, of the recording, and of finished
/// recordings.
package struct ChannelKeys: KeyService {
    package var isCBCS = false
    package var outputProtection = OutputProtection.automatic
    /// The keys of the recording; nil without one.
    package var past: PastKeys?
    /// Returns a key of a finished recording, by its ID; nil if there is none.
    ///
    /// The call may block.
    package var recordings: @Sendable (KeyID) throws -> PeriodKey? = { _ in nil }
    /// The delay of viewers, and the clock that measures it, in UTC; nil if viewers are not delayed.
    package var delay: (of: ViewerDelay, now: @Sendable () -> MediaTime)?
    private let directory: any KeyDirectory
    private let references: @Sendable (PeriodKey) -> [KeyReference]
    private let spread: MediaTime?
    private let licenseURI: String?
    private let leaseSeconds: UInt32?
    private let presentation: Presentation
    private let currentSlot: @Sendable () -> MediaSequenceNumber
    private let available = AvailableKeys()

    /// - Parameters:
    ///   - directory: Knows the keys.
    ///   - references: Returns the public part of a key, once for each key system.
    ///   - spread: The time that players have to fetch the next key; nil for all the time before they need it.
    ///   - licenseURI: The URI of Clear Key licences; nil for a path next to the playlists.
    ///   - leaseSeconds: The seconds for which a key may be used; nil for as long as playback lasts.
    ///   - presentation: The presentation whose segments need them.
    ///   - currentSlot: The slot of this moment, for the time until something is published.
    package init(
        directory: any KeyDirectory,
        references: @escaping @Sendable (PeriodKey) -> [KeyReference],
        spread: MediaTime? = nil,
        licenseURI: String? = nil,
        leaseSeconds: UInt32? = nil,
        presentation: Presentation,
        currentSlot: @escaping @Sendable () -> MediaSequenceNumber
    ) {
        self.directory = directory
        self.references = references
        self.spread = spread
        self.licenseURI = licenseURI
        self.leaseSeconds = leaseSeconds
        self.presentation = presentation
        self.currentSlot = currentSlot
    }

    package func contentKey(_ keyID: KeyID) throws -> ContentKey? {
        try key(keyID, for: [.identity])?.contentKey
    }

    package func availability(of keyID: KeyID, for systems: Set<KeySystem>?) throws -> KeyAvailability {
        let slots = slots
        if let key = try available.keys(for: slots, of: directory)[keyID] {
            return isOf(systems, key) ? .available(key) : .unknown
        }
        if let seconds = try secondsUntil(keyID, for: systems, from: slots.max() ?? currentSlot()) {
            return .early(seconds: seconds)
        }
        guard let key = try past?.key(keyID) ?? recordings(keyID), isOf(systems, key) else { return .unknown }
        return .available(key)
    }

    /// Returns true if players get a key by one of some systems.
    private func isOf(_ systems: Set<KeySystem>?, _ key: PeriodKey) -> Bool {
        guard let systems else { return true }
        return references(key).contains { systems.contains($0.system) }
    }

    /// The slots whose keys clients may have now, and the slots of the next period.
    ///
    /// For delayed viewers this is only their newest slot; the keys of earlier slots come from the recording.
    private var slots: Set<MediaSequenceNumber> {
        let slots = presentation.slotsWithKeys
        guard let delay, let end = delay.of.end(at: delay.now()) else { return slots }
        return [min(slots.max() ?? end.previous, end.previous)]
    }

    /// The seconds until the key of a coming period is available; nil for all other keys.
    ///
    /// Viewers of the other packager of a pair may learn of the key a little before this one has reached its slot.
    private func secondsUntil(
        _ keyID: KeyID,
        for systems: Set<KeySystem>?,
        from slot: MediaSequenceNumber
    ) throws -> Int? {
        let periods = directory.periods
        for (before, period) in zip(
            periods.periods(from: slot, following: 2),
            periods.periods(from: slot, following: 3).dropFirst()
        ) {
            let keys = try directory.classes.all.compactMap { try directory.key(for: period, $0) }
            // Viewers may fetch a key one period early.
            guard keys.contains(where: { $0.keyID == keyID && isOf(systems, $0) }),
                let first = periods.firstSlot(of: before)
            else { continue }
            let wait = presentation.configuration.segmentDuration * max(1, first.value - slot.value)
            return Int((wait.ticks + MediaTime.timescale - 1) / MediaTime.timescale)
        }
        return nil
    }

    package func schedule() throws -> ByteBuffer {
        let document = try KeyScheduleDocument(
            directory,
            at: slots.max() ?? currentSlot(),
            segmentDuration: presentation.configuration.segmentDuration,
            spread: spread,
            delay: delay?.of.time ?? .zero,
            licenseURI: licenseURI,
            leaseSeconds: leaseSeconds,
            references: references
        )
        return ByteBuffer(bytes: try document.json())
    }

    package func license(for request: ByteBuffer) throws -> ByteBuffer {
        let request = try ClearKeyLicense.Request(json: request.readableBytesView)
        let keys = try request.keyIDs.compactMap { try key($0, for: [.identity, .clearkey]) }
        return ByteBuffer(string: ClearKeyLicense.response(keys))
    }

    /// A key that clients of one of the systems may have now; those of others have their licence servers.
    private func key(_ keyID: KeyID, for systems: Set<KeySystem>) throws -> PeriodKey? {
        guard
            let key = try available.keys(for: slots, of: directory)[keyID]
                ?? past?.key(keyID) ?? recordings(keyID), isOf(systems, key)
        else { return nil }
        return key
    }
}
