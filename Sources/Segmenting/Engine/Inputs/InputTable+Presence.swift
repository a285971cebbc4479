import MediaCore

/// Questions about the inputs that have a track, or are ahead.
extension InputTable {
    /// The places that the feeds have, or had last before they broke off.
    var places: Set<TrackIndex> { Set(feeds.compactMap { $0.places?.values }.joined()) }

    /// Returns the sources of a place: the ranks of the inputs at a position that have its track.
    func sources(of place: TrackIndex, at position: InputPosition) -> Set<SourceRank> {
        Set(feeds.filter { $0.id.position == position && $0.has(place) }.map(\.id.rank))
    }

    /// Returns true if inputs have had the track of a place, and all of them have broken off.
    func haveLost(_ place: TrackIndex) -> Bool {
        let having = feeds.filter { $0.has(place) }
        return !having.isEmpty && having.allSatisfy { !$0.isConnected }
    }

    /// Returns true if an input is connected that is preferred to another at its position.
    func hasBetter(than input: InputID) -> Bool {
        feeds.contains { $0.isConnected && $0.id.position == input.position && $0.id.rank < input.rank }
    }

    /// Returns the best of the other inputs that have the same media and deliver it; nil if there is none.
    func standIn(for input: InputID) -> InputID? {
        let others = feeds.filter { $0.id.position == input.position && $0.id != input && $0.isPresent }
        return others.map(\.id).min { $0.rank < $1.rank }
    }

    /// Returns true if the log says that a position's input is lost, and will say when it is back.
    func isLossReported(at position: InputPosition) -> Bool {
        feeds.contains { $0.id.position == position && $0.loss != nil }
    }

    /// Returns the time, in UTC, that the input has reached that is furthest behind; nil if all have ended.
    func slowest(besides input: InputID? = nil) -> MediaTime? {
        // This runs for every packet of a stored feed, so it neither copies feeds nor allocates memory.
        var slowest: MediaTime?
        for feed in range where self[feed].places != nil && self[feed].id != input && !self[feed].hasEnded {
            let reached = self[feed].reached ?? .zero
            slowest = min(slowest ?? reached, reached)
        }
        return slowest
    }

    /// Returns true if an input has run ahead of all others by more than a distance.
    func isAhead(_ input: InputID, by distance: MediaTime) -> Bool {
        guard feeds.count > 1, let reached = self[index(of: input)].reached, let last = slowest(besides: input)
        else { return false }
        return reached > last + distance
    }
}

// MARK: - Tags

extension InputTable {
    /// Returns the positions whose tags a rendition can have: its own if that carries timed metadata, or all.
    func tagPositions(for position: InputPosition) -> [InputPosition] {
        positionsWithTags.contains(position) ? [position] : positionsWithTags.sorted()
    }

    /// Returns the tags of a segment, or of a part.
    ///
    /// - Parameters:
    ///   - span: The time, in UTC, in which they are due.
    ///   - positions: The positions of inputs that carry tags.
    ///   - onAir: The input among them that fills the segment; nil for none.
    /// - Returns: The tags of that input; where none has media, those of the first that has something to say.
    func tags(in span: Range<MediaTime>, at positions: [InputPosition], onAir: InputID?) -> [TimedTag] {
        if let onAir { return self[index(of: onAir)].tags.tags(in: span) }
        let tags = feeds.lazy.filter { positions.contains($0.id.position) }.map { $0.tags.tags(in: span) }
        return tags.first { !$0.isEmpty } ?? []
    }

    /// Forgets the tags of segments that are decided on.
    mutating func discardTags(before time: MediaTime) {
        for feed in range { self[feed].tags.discard(before: time) }
    }
}

extension ChannelEngine.Feed {
    /// Returns true if one of its tracks has a place, or had it last.
    fileprivate func has(_ place: TrackIndex) -> Bool { places?.values.contains(place) ?? false }
}
