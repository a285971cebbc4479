/// The reasons why a configuration was refused.
package struct ReloadRefusal: Error, Hashable {
    /// The problems, a sentence each; at least one.
    package var problems: [String]
    /// True if the configuration is right, but could not be stored.
    package var isOfKeeping: Bool
    /// True if a channel has a value that the control API may not set.
    package var isForbidden: Bool

    package init(_ problems: [String], isOfKeeping: Bool = false, isForbidden: Bool = false) {
        self.problems = problems
        self.isOfKeeping = isOfKeeping
        self.isForbidden = isForbidden
    }
}
