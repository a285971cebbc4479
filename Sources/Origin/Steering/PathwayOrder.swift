package import MediaCore

/// The index of a pathway, in the order in which they are configured.
package struct PathwayIndex: Hashable, Sendable {
    package var value: Int

    package init(_ value: Int) { self.value = value }
}

/// The state of a pathway, the best first.
package enum PathwayCondition: Int, Hashable, Sendable, Comparable {
    /// Viewers get everything from the pathway.
    case well
    /// The pathway answers, but its channel has a low health.
    case poor
    /// The pathway does not answer, or has no playlist.
    case dead

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Decides in which order players use the pathways of a channel, by observations of each.
///
/// A bad pathway goes behind the good ones at once. It comes back only after it was good for a while,
/// so that players are not sent to and fro. Equal pathways stay in the order in which they are
/// configured.
package struct PathwayOrder: Hashable, Sendable {
    /// An answer of a pathway, or its absence.
    package enum Observation: Hashable, Sendable {
        /// The health of its channel, 0 to 100.
        case health(Int)
        /// No playlist.
        case nothing
    }

    /// A pathway whose condition is another one now.
    package struct Change: Hashable, Sendable {
        package var pathway: PathwayIndex
        package var condition: PathwayCondition
        /// True if players are to use another one than this, which answers.
        package var hasSubstitute: Bool
    }

    private struct Pathway: Hashable {
        /// The condition, assumed to be good until the first observation.
        var condition = PathwayCondition.well
        /// False until it was seen to do well, and is taken at once.
        var hasDoneWell = false
        /// Observations of nothing, one after the other.
        var silences = 0
        /// The time since when it has done well without interruption; nil while it does not.
        var wellSince: MediaTime?
    }

    /// The health below which a pathway is unhealthy, as caches in front of a pair have it.
    static let poorBelow = 75
    /// The health from which on it is healthy again.
    static let wellFrom = 90
    /// The number of silences after which it is dead: one may be an accident of the network.
    static let mostSilences = 2

    private var pathways: [Pathway]
    private let probation: MediaTime

    /// - Parameters:
    ///   - count: The number of pathways, all of which do well.
    ///   - probation: The time for which one has to do well before it comes back.
    package init(count: Int, probation: MediaTime) {
        pathways = Array(repeating: Pathway(), count: count)
        self.probation = probation
    }

    /// Takes an observation of a pathway.
    ///
    /// - Parameters:
    ///   - observation: The observation.
    ///   - index: The pathway; an unknown one is ignored.
    ///   - now: A clock that never goes back.
    /// - Returns: The change of its condition; nil if there is none.
    package mutating func observed(_ observation: Observation, of index: PathwayIndex, at now: MediaTime) -> Change? {
        guard pathways.indices.contains(index.value) else { return nil }
        var pathway = pathways[index.value]
        let before = pathway.condition
        switch observation {
        case .nothing:
            pathway.silences += 1
            pathway.wellSince = nil
            if pathway.silences >= Self.mostSilences { pathway.condition = .dead }
        case .health(let health):
            pathway.silences = 0
            if health < Self.wellFrom { pathway.wellSince = nil } else { pathway.wellSince = pathway.wellSince ?? now }
            if health < Self.poorBelow || before == .dead { pathway.condition = .poor }
            if let since = pathway.wellSince, now - since >= probation || !pathway.hasDoneWell {
                pathway.condition = .well
                pathway.hasDoneWell = true
            }
        }
        pathways[index.value] = pathway
        guard pathway.condition != before else { return nil }
        let hasSubstitute = indices.first.map { $0 != index && condition(of: $0) != .dead } ?? false
        return Change(pathway: index, condition: pathway.condition, hasSubstitute: hasSubstitute)
    }

    /// The pathways in the order in which players are to use them.
    package var indices: [PathwayIndex] {
        pathways.indices.sorted { (pathways[$0].condition, $0) < (pathways[$1].condition, $1) }.map(PathwayIndex.init)
    }

    package func condition(of index: PathwayIndex) -> PathwayCondition { pathways[index.value].condition }
}
