package import MediaCore

/// Chooses which of several sources fills a rendition's slots: whole beats partial, preferred beats standby.
///
/// Sources are numbered in order of preference, the primary first. Once a standby has taken over, a better source is
/// chosen again only after it has been whole for a while: a flapping feed does not make the stream flap. The choice
/// depends on the offers of the sources for the slot, and on the `selection` so far, which is counted in slots. Two
/// packagers of the same feeds choose alike once one has taken over the other's selection.
package struct SourceSelector: Sendable {
    /// The media that a source has for one slot.
    package enum Offer: Hashable, Sendable {
        /// Media for all of it.
        case whole
        /// Media for part of it, this long.
        case partial(MediaTime)
        case nothing
        /// The source's media is arriving.
        case pending
        /// The source's media was arriving, but has stopped for a while: not worth waiting for if another source has
        /// all.
        case stalled
    }

    package enum Choice: Hashable, Sendable {
        case source(SourceRank)
        /// Too early to choose.
        case wait
        /// No source has media.
        case none
    }

    /// The choices and observations so far that later choices depend on.
    package private(set) var selection = SourceSelection()
    /// The source that filled the newest slot.
    package var active: SourceRank { selection.active }
    /// The source that an operator holds the rendition to; it loses only slots for which it has nothing.
    package var held: SourceRank?

    /// The number of slots in a row that a better source must have been whole before it is chosen again, including the
    /// one that it fills.
    private let failbackRun: Int64

    /// - Parameters:
    ///   - failback: The time for which a better source must have been whole before it is chosen again.
    ///   - slotDuration: `D`.
    package init(failback: MediaTime, slotDuration: MediaTime) {
        // With one, the first whole slot would be proof of itself to a packager that happens to receive it in time.
        failbackRun = max(2, (failback.ticks + slotDuration.ticks - 1) / slotDuration.ticks)
    }

    /// Notes the media that a source had for a slot in the end, chosen or not; once for each slot, in order.
    package mutating func observe(_ offer: Offer, of source: SourceRank, for number: MediaSequenceNumber) {
        let run = selection[source]
        let continues = run.map { $0.upperBound.next == number } ?? false
        selection[source] = offer == .whole ? (continues ? run?.lowerBound ?? number : number)...number : nil
    }

    /// Continues from what another packager, or an earlier run, remembers; observations since then count on from there.
    package mutating func restore(_ other: SourceSelection) {
        let own = selection
        selection = other
        for (rank, run) in own.wholeRuns.enumerated() {
            guard let run else { continue }
            let source = SourceRank(rank)
            guard let before = selection[source], before.upperBound.next >= run.lowerBound else {
                selection[source] = run
                continue
            }
            let first = min(before.lowerBound, run.lowerBound)
            selection[source] = first...max(before.upperBound, run.upperBound)
        }
    }

    /// Prefers a source from the next slot on, until another takes over.
    package mutating func select(_ source: SourceRank) {
        selection.active = source
        // Better sources start to prove themselves anew.
        for better in selection.wholeRuns.indices.prefix(source.value) { selection.wholeRuns[better] = nil }
    }

    /// Chooses for the next slot by what each source offers.
    package mutating func choose(from offers: [Offer], for number: MediaSequenceNumber) -> Choice {
        guard !offers.isEmpty else { return .none }
        let preferred = preferred(of: offers.count, for: number)
        switch offers[preferred.value] {
        case .whole: return take(preferred)
        case .pending: return .wait
        case .partial where held == preferred: return take(preferred)
        case .partial, .nothing, .stalled: break
        }
        if let whole = offers.firstIndex(of: .whole) { return take(SourceRank(whole)) }
        if offers.contains(.pending) || offers.contains(.stalled) { return .wait }
        // Among equals, the preferred one comes first, then the better one.
        var best: (source: SourceRank, length: MediaTime)?
        for source in [preferred] + (SourceRank.primary..<SourceRank(offers.count)) {
            guard case .partial(let length) = offers[source.value], length > best?.length ?? .zero else { continue }
            best = (source, length)
        }
        return best.map { take($0.source) } ?? .none
    }

    /// Returns the source that is waited for.
    ///
    /// A better source is waited for as soon as only this slot is missing from its proof, so that nothing depends on
    /// which source's media comes first.
    ///
    /// - Parameters:
    ///   - count: The number of sources, one at least.
    ///   - number: The next slot.
    /// - Returns: The source that an operator has chosen, that takes over again, or that is on air.
    package func preferred(of count: Int, for number: MediaSequenceNumber) -> SourceRank {
        if let held, held.value < count { return held }
        let proven = selection.wholeRuns.prefix(active.value).firstIndex { run in
            guard let run else { return false }
            return run.lowerBound.distance(to: min(run.upperBound.next, number)) >= failbackRun - 1
        }
        return SourceRank(min(proven ?? active.value, count - 1))
    }

    private mutating func take(_ source: SourceRank) -> Choice {
        if source > active, selection[active] != nil { selection[active] = nil }
        selection.active = source
        return .source(source)
    }
}
