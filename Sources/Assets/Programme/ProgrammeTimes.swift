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
    /// - Parameter choice: The programme that is meant.
    /// - Returns: Its start, and its end if that is known; nil if it is unknown.
    package func programme(_ choice: ProgrammeChoice) -> (start: MediaTime, end: MediaTime?)? {
        let range =
            switch choice {
            case .dateRange(let id): ranges.last { $0.id == id && $0.start != nil }
            case .className(let name): ranges.last { $0.className == name && $0.start != nil }
            case .event(let id):
                ranges.last { range in
                    range.start != nil && range.segmentation?.eventID == id
                        && range.segmentation?.details?.type == .programStart
                }
            }
        guard let range, let start = range.start else { return nil }
        if let end = end(of: range) { return (start, end) }
        guard let event = range.segmentation?.eventID, range.segmentation?.details?.type == .programStart else {
            return (start, nil)
        }
        // The end has a message of its own.
        let end = ranges.lazy.filter { other in
            other.segmentation?.eventID == event && other.segmentation?.details?.type.start == .programStart
        }
        .compactMap(\.start).filter { $0 > start }.min()
        return (start, end)
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
