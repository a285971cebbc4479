/// How a setting is written, whatever it means.
package struct SettingSyntax: Hashable, Sendable {
    /// What stands for a value in help: `seconds`; nil for the setting's own name.
    package var unit: String?
    /// All words that are allowed; none where any are that can be read.
    package var choices: [String] = []
    /// Whether it takes several values.
    package var isList = false
    /// Whether it is true or false, so that a flag needs no value.
    package var isBoolean = false
    /// Whether it is the path of a file or a directory.
    package var isPath = false
    /// Whether a value may begin as a flag does.
    package var canBeginWithHyphen = false
}
