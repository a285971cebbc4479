/// Finds the word that a mistyped one may have meant.
package enum Suggestion {
    /// ` (did you mean …?)`, or nothing.
    package static func text(for word: String, among candidates: [String]) -> String {
        nearest(to: word, among: candidates).map { " (did you mean \($0)?)" } ?? ""
    }

    /// The candidate of the same letters, at most two edits away, or else one that has the word as a part or is a part of it.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        // Letters that have changed their places are two edits, and the most usual ones.
        if let same = candidates.first(where: { $0.sorted() == word.sorted() }) { return same }
        // Two edits make any short word of any other.
        let limit = min(2, word.count / 2)
        let distances = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        if let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= limit { return best.candidate }
        return candidates.first { min($0.count, word.count) >= 4 && ($0.contains(word) || word.contains($0)) }
    }

    /// Insertions, deletions, substitutions and swaps of neighbours that make one word of the other (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var (before, row) = ([Int](), Array(0...right.count))
        for index in left.indices {
            var next = [index + 1]
            for column in right.indices {
                let substitution = row[column] + (left[index] == right[column] ? 0 : 1)
                var best = min(substitution, row[column + 1] + 1, next[column] + 1)
                let isSwap =
                    index > 0 && column > 0 && left[index] == right[column - 1] && left[index - 1] == right[column]
                if isSwap { best = min(best, before[column - 1] + 1) }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}
