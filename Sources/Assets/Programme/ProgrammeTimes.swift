package import MediaCore
package import Operations
package import Playlists
import SCTE35

/// The stretches of time that the date ranges of a recording tell of: programmes, chapters and breaks.
package struct ProgrammeTimes: Sendable {
    /// Each range once, with all that its tags say.
    private let ranges: [DateRange]
    private let tags: [DateRange]

    /// - Parameter tags: The tags of some time, in order.
    package init(_ tags: [DateRange]) {
        (self.tags, ranges) = (tags, tags.merged)
    }

    /// The breaks, in order; those that touch are one.
    ///
    /// A break whose end nothing tells is left out, since all that follows would go with it.
    package var breaks: [Range<MediaTime>] {
        let found = ranges.compactMap { range -> Range<MediaTime>? in
            guard range.isBreak, let start = range.start, let end = end(of: range), start < end else { return nil }
            return start..<end
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { breaks, next in
            if let last = breaks.last, next.lowerBound <= last.upperBound {
                breaks[breaks.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
            } else {
                breaks.append(next)
            }
        }
    }

    /// Finds a programme.
    ///
    /// - Parameters:
    ///   - choice: The programme that is meant.
    ///   - time: The time at which it was asked for, in UTC.
    /// - Returns: The newest one that had begun by then, or else the first one after it; nil if there is none.
    package func programme(_ choice: ProgrammeChoice, at time: MediaTime) -> Programme? {
        let found = ranges.filter { isMeant($0, by: choice) }.compactMap { range in range.start.map { ($0, range) } }
        let begun = found.filter { $0.0 <= time }.max { $0.0 < $1.0 }
        guard let (start, range) = begun ?? found.min(by: { $0.0 < $1.0 }) else { return nil }
        var programme = Programme(id: range.id, start: start)
        programme.announcedEnd = tags.end(of: range.id) ?? endMessage(of: range, from: start)
        programme.plannedEnd = range.plannedDuration.map { start + $0 }
        programme.following = ranges.filter { isOfTheKind(of: range, $0) }.compactMap(\.start).filter { $0 > start }
            .min()
        return programme
    }

    private func isMeant(_ range: DateRange, by choice: ProgrammeChoice) -> Bool {
        switch choice {
        case .dateRange(let id): range.id == id
        case .className(let name): range.className == name
        case .event(let id): range.programmeEvent == id
        }
    }

    /// Returns true if another range is a programme as this one is.
    private func isOfTheKind(of range: DateRange, _ other: DateRange) -> Bool {
        guard other.id != range.id else { return false }
        if let name = range.className { return other.className == name }
        return range.programmeEvent != nil && other.programmeEvent != nil
    }

    /// The start of the message of SCTE-35 that a programme is over, which has a range of its own.
    private func endMessage(of range: DateRange, from start: MediaTime) -> MediaTime? {
        guard let event = range.programmeEvent else { return nil }
        return ranges.lazy.filter { other in
            other.segmentation?.eventID == event && other.segmentation?.details?.type.start == .programStart
        }
        .compactMap(\.start).filter { $0 > start }.min()
    }

    /// The chapters of a class, and those of SCTE-35 (segmentation type 0x20), in order.
    ///
    /// - Parameter className: The class of ranges that are chapters, their titles in `X-TITLE`; nil for none.
    /// - Returns: The chapters; one without a title has none yet.
    package func chapters(ofClass className: String?) -> [AssetChapter] {
        ranges.compactMap { range -> AssetChapter? in
            guard let start = range.start else { return nil }
            if let className, range.className == className {
                guard case .string(let title)? = range[custom: "X-TITLE"] else { return AssetChapter(start: start) }
                return AssetChapter(start: start, title: title)
            }
            return range.segmentation?.details?.type == .chapterStart ? AssetChapter(start: start) : nil
        }
        .sorted { $0.start < $1.start }
    }

    private func end(of range: DateRange) -> MediaTime? {
        if let end = tags.end(of: range.id) { return end }
        guard let start = range.start, let duration = range.plannedDuration else { return nil }
        return start + duration
    }
}

extension DateRange {
    /// True if an advertisement may replace it: SCTE-35 signals it, and it is not the programme itself.
    fileprivate var isBreak: Bool {
        guard spliceOut != nil else { return false }
        guard let type = segmentation?.details?.type else { return true }
        return AdvertisementKind.usual.contains { $0.segmentationType == type.rawValue }
    }

    /// The event of the programme that it starts by SCTE-35; nil if it starts none.
    fileprivate var programmeEvent: UInt32? {
        guard let segmentation, segmentation.details?.type == .programStart else { return nil }
        return segmentation.eventID
    }

    /// The first segmentation that its section has; nil if it has none, or cannot be read.
    fileprivate var segmentation: SegmentationDescriptor? {
        guard let bytes = spliceOut ?? spliceCommand ?? spliceIn,
            let section = try? SpliceInfoSection(bytes.span.bytes),
            case .clear(_, let descriptors) = section.content
        else { return nil }
        return descriptors.lazy.compactMap { descriptor in
            if case .segmentation(let segmentation) = descriptor { segmentation } else { nil }
        }
        .first
    }
}

extension SegmentationType {
    fileprivate static let chapterStart = SegmentationType(rawValue: 0x20)
}
