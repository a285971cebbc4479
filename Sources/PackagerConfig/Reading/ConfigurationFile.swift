/// A configuration file: its name for messages, and its text.
package struct ConfigurationFile: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
