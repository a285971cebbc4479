package import PackagerConfig

/// A problem that keeps the program from starting, found in the use of a setting.
package struct SetupProblem: Hashable, CustomStringConvertible {
    /// The setting that has to change; nil if the problem is not a setting.
    var setting: String?
    /// The name of the channel whose setting it is; nil for one of the process.
    var channel: String?
    /// The index among the setting's values.
    var index = 0
    var message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ setting: String, of channel: String? = nil, at index: Int = 0, _ message: String) {
        (self.setting, self.channel, self.index, self.message) = (setting, channel, index, message)
    }

    package var description: String {
        guard let setting else { return channel.map { "channel \($0): \(message)" } ?? message }
        return "\(setting)\(channel.map { " of channel \($0)" } ?? ""): \(message)"
    }
}

/// The problems that keep the program from starting and are the operator's to mend: exit code 2.
package struct SetupError: Error, CustomStringConvertible {
    /// The problems; at least one.
    package let items: [SetupProblem]
    var problems: [String] { items.map(\.description) }
    package var description: String { problems.joined(separator: "\npackager: ") }

    package init(_ problem: String) {
        items = [SetupProblem(problem)]
    }

    init(_ setting: String, of channel: String? = nil, _ message: String) {
        items = [SetupProblem(setting, of: channel, message)]
    }

    /// - Parameter problems: The problems; at least one.
    package init(_ problems: [String]) {
        items = problems.map { SetupProblem($0) }
    }

    /// - Parameter items: The problems; at least one.
    init(_ items: [SetupProblem]) {
        self.items = items
    }
}

extension ConfigurationReading {
    /// The same problems with the places where their settings were written.
    package func located(_ items: [SetupProblem]) -> [ConfigurationProblem] {
        items.map { item in
            guard let setting = item.setting else { return problem(ofChannel: item.channel, item.message) }
            return problem(setting, ofChannel: item.channel, at: item.index, item.message)
        }
    }
}
