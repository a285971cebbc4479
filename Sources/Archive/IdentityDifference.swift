/// The settings in which two channels, or two runs of one, differ.
struct IdentityDifference {
    let name: String
    let first: String
    let second: String

    /// All differences, by name.
    ///
    /// - Parameters:
    ///   - first: The settings of one, by name.
    ///   - second: The settings of the other one.
    ///   - defaults: Values for settings that one of the two, perhaps of an older version, does not name.
    /// - Returns: The differences; a setting without a value or default is `not set`.
    static func all(
        between first: [String: String],
        and second: [String: String],
        defaults: [String: String]
    ) -> [IdentityDifference] {
        Set(first.keys).union(second.keys).sorted().compactMap { name in
            let (first, second) = (first[name] ?? defaults[name], second[name] ?? defaults[name])
            guard first != second else { return nil }
            return IdentityDifference(name: name, first: first ?? "not set", second: second ?? "not set")
        }
    }
}
