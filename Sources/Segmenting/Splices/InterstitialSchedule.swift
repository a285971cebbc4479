import MediaCore
import Playlists
import SCTE35

/// Interstitials that replace breaks (RFC 8216bis Appendix D), as date ranges in addition to those of the splices.
///
/// Each follows only from the tags of its break, so that both members of a pair have the same interstitials.
struct InterstitialSchedule: Sendable {
    private let channel: String
    private let templates: [InterstitialTemplate]
    private let advertisements: [AdvertisementKind]
    /// The first tags of interstitials that are not over, by the IDs of their breaks.
    private var open: [String: DateRange] = [:]

    private static let suffix = "-ad"

    /// - Parameters:
    ///   - channel: The name of the channel.
    ///   - templates: The templates; the first for a break's kind makes its interstitial.
    ///   - advertisements: The advertisement kinds of templates that name none.
    init(channel: String, templates: [InterstitialTemplate], advertisements: [AdvertisementKind]) {
        (self.channel, self.templates, self.advertisements) = (channel, templates, advertisements)
    }

    /// - Parameter lines: The date ranges of a slot.
    /// - Returns: The same, each tag of a break followed by those of its interstitial.
    mutating func beside(_ lines: DateRangeLines) -> DateRangeLines {
        if lines.isEmpty { return lines }
        var lines = lines
        lines.above = lines.above.flatMap { [$0] + tags(beside: $0) }
        lines.below = lines.below.flatMap { [$0] + tags(beside: $0) }
        return lines
    }

    /// Continues with the tags of an earlier run, or of a peer.
    mutating func restore(_ tags: [DateRange]) {
        for tag in tags where tag.isInterstitial && tag.id.hasSuffix(Self.suffix) {
            let name = String(tag.id.dropLast(Self.suffix.count))
            open[name] = tag.duration == nil ? tag : nil
        }
    }

    private mutating func tags(beside tag: DateRange) -> [DateRange] {
        if let section = tag.spliceOut {
            guard let begun = beginning(of: tag, section) else { return [] }
            open[tag.id] = begun.interstitial
            return [begun.preload, begun.interstitial].compactMap(\.self)
        }
        guard tag.spliceCommand == nil, let duration = tag.duration, let begun = open.removeValue(forKey: tag.id) else {
            return []
        }
        return [Self.end(of: begun, after: duration)]
    }

    private func beginning(
        of tag: DateRange,
        _ section: [UInt8]
    ) -> (preload: DateRange?, interstitial: DateRange)? {
        // A break without duration leaves nothing to fill.
        guard !templates.isEmpty, let start = tag.start, tag.plannedDuration != .zero,
            let message = try? SpliceMessage(reading: section.span.bytes),
            let cue = message.section.cues.first(where: { tag.id.hasPrefix("\($0.name)-") }),
            var template = templates.first(where: {
                cue.isAdvertisement(among: $0.kinds.isEmpty ? advertisements : $0.kinds)
            })
        else { return nil }
        let id = tag.id + Self.suffix
        let values: [AddressTemplate.Field: String] = [
            .id: id,
            .eventID: cue.event.map { "\($0.id)" } ?? "",
            .duration: tag.plannedDuration?.decimalSeconds ?? "",
            .type: cue.event?.type.map { [$0.rawValue].hex } ?? "",
            .upid: message.section.upid(of: cue)?.text ?? "",
            .start: start.iso8601,
            .channel: channel,
        ]
        // The end of a break that returns by itself is known from the start.
        if case .out(_, returnsByItself: true) = cue.role, template.resumption == .live {
            template.resumption = .duration
        }
        let interstitial = template.interstitial(id, start, tag.plannedDuration, values)
        return (template.preload(of: interstitial), interstitial)
    }

    /// Returns the tag with the duration of the break, which is the limit for its interstitial.
    ///
    /// It holds the attributes that the first tag left open: the limit makes players come back when the programme does,
    /// and the offset makes them continue where it does. Without an offset players drift to the live edge (hls.js 7911).
    private static func end(of begun: DateRange, after duration: MediaTime) -> DateRange {
        var tag = DateRange(id: begun.id, start: begun.start, duration: duration)
        tag.className = begun.className
        // A programme that waits for its interstitial has no limit for it.
        let value = DateRange.CustomAttribute.Value.number(duration.decimalSeconds)
        if begun[custom: .resumeOffset] == nil { tag.custom.append(.init(name: .resumeOffset, value: value)) }
        if begun[custom: .playoutLimit] == nil, begun.replacesProgramme {
            tag.custom.append(.init(name: .playoutLimit, value: value))
        }
        return tag
    }
}

extension InterstitialTemplate {
    /// Returns the first tag of its range.
    fileprivate func interstitial(
        _ id: String,
        _ start: MediaTime,
        _ planned: MediaTime?,
        _ values: [AddressTemplate.Field: String]
    ) -> DateRange {
        var tag = DateRange(id: id, start: start)
        tag.className = DateRange.interstitialClass
        tag.plannedDuration = planned
        if isOnce { tag.cues = [.once] }
        func add(_ name: String, _ value: DateRange.CustomAttribute.Value?) {
            if let value { tag.custom.append(.init(name: name, value: value)) }
        }
        // Decision servers know it by its ID (RFC 8216bis § D.4).
        let url = (asset ?? assetList)?.filled(values) ?? Self.ownList(values)
        let query = (url.contains("?") ? "&" : "?") + "_HLS_interstitial_id=" + id.percentEncoded
        add(asset == nil ? .assetList : .assetURI, .string(url + query))
        switch resumption {
        case .live: break
        case .duration: add(.resumeOffset, planned.map { .number($0.decimalSeconds) })
        case .after(let offset): add(.resumeOffset, .number(offset.decimalSeconds))
        }
        add(.playoutLimit, playoutLimit.map { .number($0.decimalSeconds) })
        add("X-SNAP", .list(snap.map(\.rawValue)))
        add("X-RESTRICT", .list(restrictions.map(\.rawValue)))
        add("X-CONTENT-MAY-VARY", contentMayVary ? nil : .string("NO"))
        add("X-TIMELINE-OCCUPIES", occupancy == .point ? nil : .string(occupancy.rawValue.uppercased()))
        add("X-TIMELINE-STYLE", style == .highlight ? nil : .string(style.rawValue.uppercased()))
        add("X-SKIP-CONTROL-OFFSET", skipOffset.map { .number("\($0)") })
        add("X-SKIP-CONTROL-DURATION", skipDuration.map { .number("\($0)") })
        add("X-SKIP-CONTROL-LABEL-ID", skipLabel.map { .string($0) })
        return tag
    }

    /// Returns the path of the origin's own list.
    ///
    /// Playlists of all renditions lie beside each other, so that the relative path is right for all of them.
    private static func ownList(_ values: [AddressTemplate.Field: String]) -> String {
        let query = [AddressTemplate.Field.eventID, .type, .upid].map { field in
            "\(field.rawValue)=\((values[field] ?? "").percentEncoded)"
        }
        return "ads/\((values[.id] ?? "").percentEncoded).json?\(query.joined(separator: "&"))"
    }

    /// Returns a range in which players load the interstitial early (RFC 8216bis Appendix F); nil if none is wanted.
    fileprivate func preload(of interstitial: DateRange) -> DateRange? {
        guard preload > .zero, let start = interstitial.start,
            let address = interstitial[custom: .assetURI] ?? interstitial[custom: .assetList]
        else { return nil }
        var tag = DateRange(id: interstitial.id + "-preload", start: start - preload, duration: preload)
        tag.className = DateRange.preloadClass
        tag.custom = [
            .init(name: "X-URI", value: address),
            .init(name: "X-TARGET-ID", value: .string(interstitial.id)),
            .init(name: "X-TARGET-CLASS", value: .string(DateRange.interstitialClass)),
        ]
        return tag
    }
}

extension DateRange {
    /// True if players resume the programme later than they left it.
    fileprivate var replacesProgramme: Bool {
        guard case .number(let text) = self[custom: .resumeOffset] else { return true }
        return text.contains { $0 != "0" && $0 != "." }
    }
}

extension String {
    fileprivate static let assetURI = "X-ASSET-URI"
    fileprivate static let assetList = "X-ASSET-LIST"
    fileprivate static let resumeOffset = "X-RESUME-OFFSET"
    fileprivate static let playoutLimit = "X-PLAYOUT-LIMIT"
}

extension DateRange.CustomAttribute.Value {
    /// Returns an enumerated-string-list (RFC 8216bis § 4.2); nil for none.
    fileprivate static func list(_ words: [String]) -> Self? {
        words.isEmpty ? nil : .string(words.joined(separator: ",").uppercased())
    }
}

extension SpliceInfoSection {
    /// Returns the identifier of the content that a cue of it begins.
    fileprivate func upid(of cue: SpliceCue) -> SegmentationUPID? {
        guard case .clear(_, let descriptors) = content else { return nil }
        for case .segmentation(let segmentation) in descriptors where segmentation.eventID == cue.event?.id {
            if let details = segmentation.details, cue.event?.type.map({ $0 == details.type }) ?? true {
                return details.upid.bytes.isEmpty ? nil : details.upid
            }
        }
        return nil
    }
}
