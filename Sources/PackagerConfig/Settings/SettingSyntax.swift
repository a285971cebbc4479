/// The syntax of a setting's values.
package struct SettingSyntax: Hashable, Sendable {
    /// The word for a value in help: `seconds`; nil for the setting's own name.
    package var unit: String?
    /// All words that are allowed; none if any are that can be read.
    package var choices: [String] = []
    /// True if it takes several values.
    package var isList = false
    /// True if it is true or false, so that a flag needs no value.
    package var isBoolean = false
    /// True if it is the path of a file or a directory.
    package var isPath = false
    /// True if a value may begin as a flag does.
    package var canBeginWithHyphen = false
    /// The least and the greatest number that it takes, in its unit.
    package var limits: ClosedRange<Int64>?
}
