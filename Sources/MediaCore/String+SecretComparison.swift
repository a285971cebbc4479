extension Collection<UInt8> {
    /// Whether two are equal; how much of them is alike does not change how long it takes to say so.
    package func isSame(as other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension String {
    /// Whether two are equal; how much of them is alike does not change how long it takes to say so.
    package func isSame(as other: String) -> Bool { utf8.isSame(as: other.utf8) }
}
