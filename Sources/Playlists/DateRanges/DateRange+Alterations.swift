extension DateRange {
    /// Returns true if a tag of the same range contradicts this one (§ 4.4.5.1: no attribute is changed).
    package func isAltered(by other: DateRange) -> Bool { !attributesAltered(by: other).isEmpty }

    /// The names of the attributes that differ in another tag of the same range.
    package func attributesAltered(by other: DateRange) -> [String] {
        let theirs = other.attributes.attributes
        return attributes.attributes.filter { own in
            theirs.contains { $0.name == own.name && ($0.value != own.value || $0.isQuoted != own.isQuoted) }
        }.map(\.name)
    }
}
