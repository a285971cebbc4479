/// A configuration and its problems.
package struct ConfigurationReading: Sendable {
    /// The configuration, with defaults in the place of wrong values.
    package let configuration: Configuration
    let problems: [ConfigurationProblem]
    /// The places where the settings of the process were written, by name.
    let origins: [String: [SettingOrigin]]
    /// The places where the settings of each channel were written.
    let channels: [String: ChannelOrigins]
    /// Facts that are worth knowing and right on some machines.
    package let notices: [ConfigurationProblem]

    /// The places of a channel's section and of its settings, by name.
    struct ChannelOrigins: Sendable {
        var section: SettingOrigin?
        var settings: [String: [SettingOrigin]] = [:]
    }

    /// Returns true if a setting of the process was written anywhere.
    package func isWritten(_ setting: String) -> Bool { origins[setting] != nil }

    /// Makes a problem of a setting that appears only in its use.
    ///
    /// - Parameters:
    ///   - setting: Its name.
    ///   - index: The index of its value.
    ///   - message: The problem, in words.
    /// - Returns: The problem, with the place where the value was written.
    package func problem(_ setting: String, at index: Int = 0, _ message: String) -> ConfigurationProblem {
        let origins = origins[setting] ?? []
        let origin = origins.indices.contains(index) ? origins[index] : .standard(path: setting)
        return ConfigurationProblem(origin: origin, message: message)
    }

    /// Locates a problem with a setting of a channel that shows only where the setting is used.
    ///
    /// - Parameters:
    ///   - setting: Its name; nil if it is the channel as a whole.
    ///   - channel: The channel's name; nil for a setting of the process.
    ///   - index: The index of its value.
    ///   - message: The problem, in words.
    /// - Returns: The problem, with the place where the value was written, or else the channel.
    package func problem(
        _ setting: String? = nil,
        ofChannel channel: String?,
        at index: Int = 0,
        _ message: String
    ) -> ConfigurationProblem {
        guard let channel else {
            return setting.map { problem($0, at: index, message) }
                ?? ConfigurationProblem(origin: .process, message: message)
        }
        let places = channels[channel]
        // A secret without a path is made in the state directory.
        let names = [setting, setting == "key-secret" ? "state" : nil].compactMap(\.self)
        if let origins = names.lazy.compactMap({ places?.settings[$0] }).first, !origins.isEmpty {
            let origin = origins.indices.contains(index) ? origins[index] : origins[0]
            return ConfigurationProblem(origin: origin, message: message)
        }
        let words = setting.map { "\($0): \(message)" } ?? message
        return ConfigurationProblem(origin: places?.section ?? .channel(channel), message: words)
    }

    /// Returns the configuration if it has no problems.
    ///
    /// - Parameter others: Other problems.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationProblems`` with those that it was read with, and the others, each once.
    package func checked(or others: [ConfigurationProblem] = []) throws(ConfigurationProblems) -> Configuration {
        var all: [ConfigurationProblem] = []
        for problem in problems + others where !all.contains(problem) { all.append(problem) }
        guard !all.isEmpty else { return configuration }
        throw ConfigurationProblems(problems: all.sorted { $0.origin.order < $1.origin.order })
    }
}
