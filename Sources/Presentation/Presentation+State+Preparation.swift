import MediaCore
import NIOCore
import Playlists

extension Presentation.State {
    /// A publication that is worked out but not yet committed.
    struct Preparation: Sendable {
        /// The number of the slot before, which identifies the state that it was prepared on.
        var predecessor: MediaSequenceNumber?
        var slotNumber: MediaSequenceNumber
        /// The slots that are not passed over.
        var slots: [ListedSlot] = []
        /// The window with the slots.
        var window: Window
        /// The oldest slot that is served, for a store that has to know it.
        var oldestServed: MediaSequenceNumber?
        /// The slots that leave the window for them.
        var removed: [ListedSlot] = []
        var meters: [RenditionID: BandwidthMeter]
        /// True if viewers have parts of the slots.
        var hasParts = false
        /// The bytes that the slots bring, by the paths that their lines name.
        var bodies: [String: ByteBuffer] = [:]
        /// The resources that the slots' lines name, and nil for the URI of a gap.
        var resources: [(path: String, resource: Resource?)] = []
        var renditions: [RenditionDescription]
        var sessionKeys: [EncryptionKey]
    }

    var saved: SavedWindow {
        SavedWindow(renditions: renditions, sessionKeys: sessionKeys, window: window, meters: meters)
    }

    /// Works out a publication: the slots' lines, and the slots that leave the window for them.
    func prepare(_ slots: [PublishedSlot]) throws(PublicationError) -> Preparation {
        var preparation = Preparation(
            predecessor: window.lastNumber,
            slotNumber: slots.first?.number ?? MediaSequenceNumber(0),
            window: window,
            meters: meters,
            renditions: renditions,
            sessionKeys: sessionKeys
        )
        for slot in slots {
            try check(slot, after: preparation.window)
            let listed = list(slot, after: preparation.window.last)
            if let plan = slot.splicePlan { preparation.window.splicePlan = plan }
            if preparation.window.isEmpty, !canBegin(with: listed, waitsForAll: slot.waitsForAll) {
                preparation.window.passOver(listed)
                continue
            }
            if slot.followsLeap {
                preparation.removed += preparation.window.removeFirst(preparation.window.slots.count)
            }
            measure(listed, &preparation.meters)
            preparation.slots.append(listed)
            let bodies = slot.bodies(of: listed).merging(sectionsOfParts(of: listed)) { first, _ in first }
            preparation.resources += listed.resources { path in bodies[path].map(Body.memory) }
            preparation.bodies.merge(bodies) { first, _ in first }
            preparation.hasParts = preparation.hasParts || hasParts(slot.number)
            preparation.window.append(listed)
        }
        guard !preparation.slots.isEmpty else { return preparation }
        preparation.removed += preparation.window.trim(
            to: configuration.windowDuration,
            targetDuration: configuration.targetDuration,
            maximumBytes: maximumListedBytes
        )
        if store != nil {
            let slots = [retained.first?.slot, preparation.removed.first, preparation.window.first]
            preparation.oldestServed = slots.compactMap(\.self).first?.number
        }
        return preparation
    }

    /// Decides if a slot can be the first that is listed: a stream starts with media in every rendition that is listed with it.
    private func canBegin(with slot: ListedSlot, waitsForAll: Bool) -> Bool {
        slot.canLead && (!waitsForAll || slot.segments.count == renditions.count)
    }

    private func measure(_ slot: ListedSlot, _ meters: inout [RenditionID: BandwidthMeter]) {
        for (id, segment) in slot.segments where !segment.line.isGap {
            let unmeasured = BandwidthMeter(targetDuration: configuration.targetDuration)
            let duration = segment.line.duration
            meters[id, default: unmeasured].add(byteCount: segment.byteCount, duration: duration, slot: slot.number)
            guard let picture = segment.iFrame else { continue }
            meters[id.iFrames, default: unmeasured].add(
                byteCount: picture.count,
                duration: duration,
                slot: slot.number
            )
        }
    }

    private func check(_ slot: PublishedSlot, after window: Window) throws(PublicationError) {
        if isEnded { throw .ended }
        let mayLeap = window.isEmpty || slot.followsLeap
        if let expected = window.lastNumber?.next, mayLeap ? slot.number < expected : slot.number != expected {
            throw .outOfSequence(expected: expected, found: slot.number)
        }
        let declared = Set(renditions.map(\.id))
        let missing = declared.subtracting(slot.segments.keys)
        let undeclared = Set(slot.segments.keys).subtracting(declared)
        if !missing.isEmpty || !undeclared.isEmpty {
            throw .renditionsDiffer(
                missing: missing.sorted { $0.name < $1.name },
                undeclared: undeclared.sorted { $0.name < $1.name }
            )
        }
    }

    /// Makes the slot's lines.
    private func list(_ slot: PublishedSlot, after last: ListedSlot?) -> ListedSlot {
        var listed = ListedSlot(number: slot.number, startsDiscontinuity: slot.startsDiscontinuity)
        listed.dateRanges = slot.dateRanges
        for rendition in renditions {
            guard let segment = slot.segments[rendition.id] else { continue }
            let previous = last?.segments[rendition.id]
            // A rendition that joins later begins with media as well.
            if segment.media == nil, previous == nil { continue }
            listed.segments[rendition.id] = list(segment, of: rendition, in: slot, after: previous)
        }
        return listed
    }

    private func list(
        _ segment: PublishedSegment,
        of rendition: RenditionDescription,
        in slot: PublishedSlot,
        after previous: ListedSegment?
    ) -> ListedSegment {
        var line = MediaPlaylist.Segment(
            uri: rendition.segmentPath(slot.number),
            duration: segment.duration,
            programDateTime: segment.programDateTime,
            isGap: segment.media == nil,
            startsDiscontinuity: slot.startsDiscontinuity
        )
        guard let media = segment.media else {
            // Players fetch keys and map of a gap, so it brings new ones only if they stand above its parts.
            let opening = openingOfParts(of: rendition.id, in: slot.number)
            line.keys = opening?.keys ?? previous?.line.keys ?? []
            line.map = opening?.map(of: rendition.id) ?? previous?.line.map
            let mapEntityTag = opening?.initialization.map { ContentHash(of: $0.bytes).entityTag }
            return ListedSegment(
                kind: rendition.kind,
                line: line,
                byteCount: 0,
                mediaNumber: opening == nil ? previous?.mediaNumber ?? slot.number : slot.number,
                mapEntityTag: mapEntityTag ?? previous?.mapEntityTag,
                fingerprint: previous?.fingerprint,
                selection: segment.selection
            )
        }
        line.keys = segment.keys
        line.map = segment.initialization.map { section in
            MediaInitialization(uri: "\(rendition.id)/\(section.name)", keys: section.keys)
        }
        return ListedSegment(
            kind: rendition.kind,
            line: line,
            byteCount: media.readableBytes,
            entityTag: ContentHash(of: media).entityTag,
            mediaNumber: slot.number,
            mapEntityTag: segment.initialization.map { ContentHash(of: $0.bytes).entityTag },
            fingerprint: segment.fingerprint,
            filler: segment.filler,
            iFrame: segment.iFrame,
            isIndependent: segment.isIndependent,
            selection: segment.selection
        )
    }
}

extension Presentation.State.Preparation {
    /// Returns the publication of the listed slots for consumers; nil if all are passed over.
    func listed(_ published: [PublishedSlot], isBridge: Bool, now: MediaTime) -> SlotPublication? {
        if slots.isEmpty { return nil }
        return SlotPublication(
            slots: Array(published.suffix(slots.count)),
            isBridge: isBridge,
            window: SavedWindow(renditions: renditions, sessionKeys: sessionKeys, window: window, meters: meters),
            bodies: bodies,
            oldestServed: oldestServed,
            publishedAt: now
        )
    }

    /// Returns the publication of the slots before the first that is listed; nil if there are none.
    func passedOver(_ published: [PublishedSlot], now: MediaTime) -> PassedOverPublication? {
        let passedOver = Array(published.dropLast(slots.count))
        if passedOver.isEmpty { return nil }
        return PassedOverPublication(slots: passedOver, renditions: renditions, publishedAt: now)
    }
}

extension PublishedSlot {
    /// Returns the bytes that the slot brings, by the paths that its lines name.
    fileprivate func bodies(of listed: ListedSlot) -> [String: ByteBuffer] {
        var bodies: [String: ByteBuffer] = [:]
        for (id, line) in listed.segments.mapValues(\.line) {
            guard let segment = segments[id], let media = segment.media else { continue }
            bodies[line.uri] = media
            if let map = line.map { bodies[map.uri] = segment.initialization?.bytes }
        }
        return bodies
    }
}

extension ListedSlot {
    /// Returns the resources that its lines name, and nil for the URI of a gap and for a path that `body` does not
    /// have.
    func resources(_ body: (String) -> Body?) -> [(path: String, resource: Resource?)] {
        segments.values.flatMap { segment in
            func entry(_ path: String, _ kind: Resource.Kind, _ tag: String?) -> (path: String, resource: Resource?) {
                let resource = body(path).map {
                    Resource(kind, at: path, of: segment.kind, body: $0, entityTag: tag ?? "")
                }
                return (path, resource)
            }
            var entries = [entry(segment.line.uri, .segment, segment.entityTag)]
            if let map = segment.line.map {
                entries.append(entry(map.uri, .initialization, segment.mapEntityTag))
            }
            return entries
        }
    }
}

extension ContentHash {
    /// The hash as a strong entity tag (RFC 9110 § 8.8.3).
    package var entityTag: String { "\"\(self)\"" }
}
