/// What somebody who mistyped a word may have meant.
enum Suggestion {
    /// ` (did you mean …?)`, or nothing.
    static func text(for word: String, among candidates: [String]) -> String {
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

    /// Insertions, deletions and substitutions that make one word of the other (Levenshtein).
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substitution = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
