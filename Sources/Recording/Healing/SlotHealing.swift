import MediaCore
import NIOCore
package import Playlists
import Presentation

/// A segment or an initialization section that is fetched from the peer.
package struct HealedFile: Hashable, Sendable {
    /// `RENDITION/SEQUENCE.m4s` or `RENDITION/init-HASH.mp4`.
    package var path: String
    package var rendition: RenditionID
    /// The entity tag of the line that names it.
    package var entityTag: String
    /// The bytes of a segment; nil for an initialization section, whose length no line tells.
    package var byteCount: Int?

    package var isInitialization: Bool { byteCount == nil }

    package init(path: String, rendition: RenditionID, entityTag: String, byteCount: Int?) {
        (self.path, self.rendition, self.entityTag, self.byteCount) = (path, rendition, entityTag, byteCount)
    }
}

/// The files of one slot that are fetched, and those received so far.
struct SlotHealing: Hashable, Sendable {
    let hole: RecordedHole
    /// The slot to insert, with only the missing renditions.
    let slot: ListedSlot
    /// The files that are to be fetched, the next one last.
    private var files: [HealedFile]
    /// The bytes by path.
    private(set) var bodies: [String: ByteBuffer] = [:]
    /// The renditions whose segments were received.
    private var received: Set<RenditionID> = []
    /// The number of files that were refused.
    private(set) var refusals = 0
    /// The reason why something is refused, in words; nil if nothing is.
    private(set) var reason: String?
    private let limits: HealingLimits

    /// - Parameters:
    ///   - hole: The renditions that are missing.
    ///   - slot: The slot as the peer lists it.
    ///   - limits: The most bytes of the slot and its files.
    init(_ hole: RecordedHole, with slot: ListedSlot, _ limits: HealingLimits) {
        var slot = slot
        if let renditions = hole.renditions { slot.segments = slot.segments.filter { renditions.contains($0.key) } }
        (self.hole, self.slot, self.limits) = (hole, slot, limits)
        files = []
        if let problem = Self.problem(of: slot, limits) {
            (refusals, reason) = (1, problem)
        } else {
            files = Self.files(of: slot)
        }
    }

    private static func problem(of slot: ListedSlot, _ limits: HealingLimits) -> String? {
        var sum = 0
        for (id, segment) in slot.segments {
            for path in [segment.line.uri, segment.line.map?.uri].compactMap(\.self)
            where MediaPath(path)?.rendition != id {
                return "slot \(slot.number) names a path that does not belong to \(id)"
            }
            let (total, isTooMuch) = sum.addingReportingOverflow(segment.byteCount)
            guard !isTooMuch, segment.byteCount <= limits.segmentByteCount, total <= limits.slotByteCount else {
                return
                    "slot \(slot.number) is larger than the limits of \(limits.segmentByteCount) bytes a segment and "
                    + "\(limits.slotByteCount) bytes in all"
            }
            sum = total
        }
        return nil
    }

    private static func files(of slot: ListedSlot) -> [HealedFile] {
        var files: [HealedFile] = []
        for (id, segment) in slot.segments.sorted(by: { $0.key.name > $1.key.name }) {
            guard !segment.line.isGap, let tag = segment.entityTag else { continue }
            files.append(
                HealedFile(path: segment.line.uri, rendition: id, entityTag: tag, byteCount: segment.byteCount)
            )
            guard let map = segment.line.map, let tag = segment.mapEntityTag else { continue }
            // The initialization section comes first: without it the segment is of no use.
            files.append(HealedFile(path: map.uri, rendition: id, entityTag: tag, byteCount: nil))
        }
        return files
    }

    /// The file to fetch next; nil if all were received or refused.
    var next: HealedFile? { files.last }
    /// True if there is a segment to insert.
    var isOfUse: Bool { !received.isEmpty }
    /// True if all missing media was received.
    var isWhole: Bool { received.isSuperset(of: hole.renditions ?? Set(slot.segments.keys)) }

    /// Takes the bytes of the next file, if they are those of the line.
    ///
    /// - Parameter body: The bytes; nil for an initialization section that the recording has already.
    mutating func take(_ body: ByteBuffer?) {
        guard let file = files.popLast(), let body else { return }
        let most = file.byteCount ?? limits.initializationByteCount
        guard body.readableBytes == file.byteCount ?? body.readableBytes, body.readableBytes <= most else {
            return refuse(file, "the peer sent \(body.readableBytes) bytes, and not as many as its playlist names")
        }
        guard ContentHash(of: body).entityTag == file.entityTag else {
            return refuse(file, "the peer sent other bytes than its entity tag promises")
        }
        // The length of an initialization section is not known before.
        let total = bodies.values.reduce(body.readableBytes) { $0 + $1.readableBytes }
        guard total <= limits.slotByteCount else {
            return refuse(file, "its slot is larger than \(limits.slotByteCount) bytes")
        }
        bodies[file.path] = body
        if !file.isInitialization { received.insert(file.rendition) }
    }

    /// Skips the next file.
    mutating func refuse(_ reason: String) {
        guard let file = files.popLast() else { return }
        refuse(file, reason)
    }

    private mutating func refuse(_ file: HealedFile, _ reason: String) {
        refusals += 1
        self.reason = self.reason ?? "\(file.path): \(reason)"
        files.removeAll { $0.rendition == file.rendition }
    }
}
