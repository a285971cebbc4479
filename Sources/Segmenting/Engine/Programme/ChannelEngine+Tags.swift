import MediaCore
import Timeline

/// The tags that segments and parts carry.
extension ChannelEngine {
    /// The feeds of a rendition's tags.
    private struct TagFeeds {
        /// The positions of inputs that carry tags.
        var positions: [InputPosition]
        /// The input among them that is on air; nil for none.
        var onAir: InputID?
    }

    /// Returns the tags of the feed on air during a segment, and of the schedule; nil if it never has any.
    ///
    /// A segment that was published in parts has only the tags of its parts.
    mutating func tags(in cut: CutSegment, of slot: Slot, at place: TrackIndex) -> [TimedTag]? {
        if cut.partCount > 0 { return nil }
        return tags(carriedBy: cut, at: place, feeds(ofTagsAt: place) { slot.sources[$0.value] })
    }

    /// Returns parts with their tags: the tags due in each, and the tags that came too late for an earlier part.
    mutating func tagged(_ parts: [SlotPart]) -> [SlotPart] {
        parts.map { part in
            var part = part
            part.tags = tags(in: part)
            return part
        }
    }

    private mutating func tags(in part: SlotPart) -> [TimedTag]? {
        let isMedia = !part.cut.isGap && part.cut.filler == nil
        let feeds = feeds(ofTagsAt: part.track) { isMedia ? segmenter.activeSource(of: $0) : nil }
        return tags(carriedBy: part.cut, at: part.track, feeds)
    }

    /// Returns the tags due in a segment or part, and those that came too late for the one before.
    private mutating func tags(carriedBy cut: CutSegment, at place: TrackIndex, _ feeds: TagFeeds?) -> [TimedTag]? {
        let memory = configuration.grid.slotDuration
        let span = renditions[place].carriedTags.span(of: cut, onAir: feeds?.onAir, memory: memory)
        return tags(in: span, at: place, feeds).map { renditions[place].carriedTags.announce($0) }
    }

    private func tags(in span: Range<MediaTime>, at place: TrackIndex, _ feeds: TagFeeds?) -> [TimedTag]? {
        let tags = feeds.map { inputs.tags(in: span, at: $0.positions, onAir: $0.onAir) }
        if case .text = renditions[place].plan.kind { return tags }
        let scheduled = programme.tags(in: span)
        return scheduled.isEmpty ? tags : ((tags ?? []) + scheduled).sorted { $0.utc < $1.utc }
    }

    /// Finds the feeds whose tags a rendition has.
    ///
    /// Transport streams have the tags of their own feed. Renditions of fMP4 and of packed audio all have the same
    /// tags, because players read them in only one of these.
    ///
    /// - Parameters:
    ///   - place: The place of the rendition.
    ///   - source: Returns the source of the media of a place; nil for none.
    /// - Returns: The feeds; nil if it never has any tags.
    private func feeds(ofTagsAt place: TrackIndex, source: (TrackIndex) -> SourceRank?) -> TagFeeds? {
        let plan = renditions[place].plan
        let positions = inputs.tagPositions(for: plan.position)
        let places: [TrackIndex]
        switch plan.format.metadataFeeds {
        case .own where positions == [plan.position]: places = [place]
        case .all where !positions.isEmpty:
            places = [place] + renditions.indices.filter { positions.contains(renditions[$0].plan.position) }
        case .none, .own, .all: return nil
        }
        for place in places {
            guard let rank = source(place), let input = input(of: place, rank: rank),
                positions.contains(input.position)
            else { continue }
            return TagFeeds(positions: positions, onAir: input)
        }
        return TagFeeds(positions: positions)
    }
}
