/// The merging of several tags that make one range.
extension DateRange {
    /// Adds the attributes of another tag of the same range.
    package mutating func add(_ other: DateRange) {
        className = className ?? other.className
        start = start ?? other.start
        end = end ?? other.end
        duration = duration ?? other.duration
        plannedDuration = plannedDuration ?? other.plannedDuration
        endsOnNext = endsOnNext || other.endsOnNext
        spliceCommand = spliceCommand ?? other.spliceCommand
        spliceOut = spliceOut ?? other.spliceOut
        spliceIn = spliceIn ?? other.spliceIn
        if cues.isEmpty { cues = other.cues }
        let known = Set(custom.map(\.name))
        custom += other.custom.filter { !known.contains($0.name) }
    }

    /// Returns a tag with the attributes that are not announced yet; nil if there are none.
    ///
    /// The date is repeated as it was: Shaka Player drops a tag without one, and hls.js one that differs.
    ///
    /// - Parameter published: The announced attributes of the same range.
    /// - Returns: The next tag.
    package func rest(after published: DateRange) -> DateRange? {
        let bare = DateRange(id: id, start: published.start ?? start)
        var tag = bare
        if published.className == nil { tag.className = className }
        if published.end == nil { tag.end = end }
        if published.duration == nil { tag.duration = duration }
        if published.plannedDuration == nil { tag.plannedDuration = plannedDuration }
        if !published.endsOnNext { tag.endsOnNext = endsOnNext }
        if published.cues.isEmpty { tag.cues = cues }
        let known = Set(published.custom.map(\.name))
        tag.custom = custom.filter { !known.contains($0.name) }
        return tag == bare ? nil : tag
    }

    /// True if it comes from SCTE-35.
    package var isOfSplice: Bool { spliceCommand != nil || spliceOut != nil || spliceIn != nil }
}

extension [DateRange] {
    /// Each range once, with all attributes of its tags, in the order of their first tags.
    package var merged: [DateRange] {
        var ranges: [DateRange] = []
        var places: [String: Int] = [:]
        for tag in self {
            if let place = places[tag.id] {
                ranges[place].add(tag)
            } else {
                places[tag.id] = ranges.count
                ranges.append(tag)
            }
        }
        return ranges
    }
}
