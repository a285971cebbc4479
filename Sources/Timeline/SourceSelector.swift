package import MediaCore

/// Chooses which of several sources fills a rendition's slots: whole beats partial, preferred beats standby.
///
/// Sources are numbered in order of preference, the primary first. Once a standby has taken over, a better source
/// takes back only after it has been whole for a while, so that a feed that flaps does not make the stream flap.
/// The choice depends on what the sources offer alone, so two packagers fed the same streams choose alike.
package struct SourceSelector: Sendable {
    /// What a source has for one slot.
    package enum Offer: Hashable, Sendable {
        /// Media for all of it.
        case whole
        /// Media for part of it, this long.
        case partial(MediaTime)
        case nothing
        /// Its media is coming in.
        case pending
        /// Its media was coming in, but nothing has been heard of it for a while: not worth waiting for where another
        /// source has all.
        case stalled
    }

    package enum Choice: Hashable, Sendable {
        case source(Int)
        /// It is too early to say.
        case wait
        /// No source has anything.
        case none
    }

    /// The source that filled the newest slot.
    package private(set) var active = 0
    /// The source that an operator holds the rendition to; it loses only slots for which it has nothing.
    package var held: Int?

    /// How many slots in a row a better source must have been whole to take back.
    private let failbackRun: Int
    /// How many slots in a row each source was whole, since it last gave way to a standby.
    private var wholeRuns: [Int] = []

    /// - Parameters:
    ///   - failback: How long a better source must have been whole to take back.
    ///   - slotDuration: `D`.
    package init(failback: MediaTime, slotDuration: MediaTime) {
        failbackRun = max(1, Int((failback.ticks + slotDuration.ticks - 1) / slotDuration.ticks))
    }

    /// What a source had for a slot in the end, whether it was chosen or not; once for each slot, in order.
    package mutating func observe(_ offer: Offer, of source: Int) {
        while wholeRuns.count <= source { wholeRuns.append(0) }
        wholeRuns[source] = offer == .whole ? wholeRuns[source] + 1 : 0
    }

    /// Makes a source the one that is preferred from the next slot on, until another takes over.
    package mutating func select(_ source: Int) {
        active = source
        // Better sources start to prove themselves anew.
        for better in wholeRuns.indices.prefix(source) { wholeRuns[better] = 0 }
    }

    /// Chooses for the next slot by what each source offers.
    package mutating func choose(from offers: [Offer]) -> Choice {
        guard !offers.isEmpty else { return .none }
        let preferred = preferred(of: offers.count)
        switch offers[preferred] {
        case .whole: return take(preferred)
        case .pending: return .wait
        case .partial where held == preferred: return take(preferred)
        case .partial, .nothing, .stalled: break
        }
        if let whole = offers.firstIndex(of: .whole) { return take(whole) }
        if offers.contains(.pending) || offers.contains(.stalled) { return .wait }
        // Of equals the preferred one, then the better one.
        var best: (source: Int, length: MediaTime)?
        for source in [preferred] + offers.indices {
            guard case .partial(let length) = offers[source], length > best?.length ?? .zero else { continue }
            best = (source, length)
        }
        return best.map { take($0.source) } ?? .none
    }

    private func preferred(of count: Int) -> Int {
        if let held, held < count { return held }
        let proven = wholeRuns.prefix(active).firstIndex { $0 >= failbackRun }
        return min(proven ?? active, count - 1)
    }

    private mutating func take(_ source: Int) -> Choice {
        if source > active, active < wholeRuns.count { wholeRuns[active] = 0 }
        active = source
        return .source(source)
    }
}
