extension String {
    /// Whether two are equal; how much of them is alike does not change how long it takes to say so.
    package func isSame(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
