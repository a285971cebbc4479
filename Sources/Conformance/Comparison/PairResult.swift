/// The findings of a comparison of two origins.
package struct PairResult: Hashable, Sendable, Codable {
    /// Media playlists that both name.
    package var renditions = 0
    /// Slots whose lines were compared.
    package var slots = 0
    /// Slots that only one listed while it was looked at: edges of the window, a later start, an outage.
    var slotsOnlyInFirst = 0
    var slotsOnlyInSecond = 0
    /// The compared slots that both list as gaps.
    package var gaps = 0
    /// Segments whose bytes were compared.
    package var segments = 0
    var initializationSections = 0
    /// The bytes of each origin that were compared.
    package var bytes = 0
    /// The number of failed requests, whose resources were not compared.
    var unavailable = 0
    /// The differences in the order in which they were found.
    package var differences = CappedList<PairDifference>()

    init() {}

    var firstDifference: PairDifference? { differences.first.first }

    /// True if segments were compared, and nothing differed.
    package var isIdentical: Bool { differences.count == 0 && segments > 0 }
}

extension PairResult {
    /// The progress of a comparison under way, in one line.
    package var progress: String {
        "\(slots) slots · \(segments) segments · \(bytes / 1_000_000) MB · \(differences.count) differences"
    }
}

extension PairResult: CustomStringConvertible {
    /// A verdict, the first difference if there is one, and the counts.
    package var description: String {
        var lines: [String] = []
        if let firstDifference {
            lines.append("different: \(differences.count) differences")
            lines.append("first difference: \(firstDifference)")
        } else {
            lines.append(isIdentical ? "identical" : "nothing to compare: no segment was listed by both")
        }
        lines.append(
            "compared: \(renditions) renditions, \(slots) slots (\(gaps) gaps), \(segments) segments and "
                + "\(initializationSections) initialization sections of \(bytes) bytes"
        )
        lines.append(
            "not compared: \(slotsOnlyInFirst) slots only in the first, \(slotsOnlyInSecond) only in the second, "
                + "\(unavailable) requests failed"
        )
        return lines.joined(separator: "\n")
    }
}
