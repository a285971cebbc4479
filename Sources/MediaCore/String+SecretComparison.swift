extension Collection<UInt8> {
    /// Returns true if two are equal, in constant time.
    package func isSame(as other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension String {
    /// Returns true if two are equal, in constant time.
    package func isSame(as other: String) -> Bool { utf8.isSame(as: other.utf8) }
}
