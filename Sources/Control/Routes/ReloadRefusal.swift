/// Why nothing of a configuration was taken up.
package struct ReloadRefusal: Error, Hashable {
    /// At least one; a sentence each.
    package var problems: [String]
    /// Whether nothing is wrong with the configuration, but it could not be kept.
    package var isOfKeeping: Bool
    /// Whether a channel has a value that the control API may not set.
    package var isForbidden: Bool

    package init(_ problems: [String], isOfKeeping: Bool = false, isForbidden: Bool = false) {
        self.problems = problems
        self.isOfKeeping = isOfKeeping
        self.isForbidden = isForbidden
    }
}
