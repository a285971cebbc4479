/// A configuration as it was read, and what is wrong with it.
package struct ConfigurationReading: Sendable {
    /// What is wrong has its default here.
    package let configuration: Configuration
    let problems: [ConfigurationProblem]
    /// Where the settings of the process were written, by name.
    let origins: [String: [SettingOrigin]]

    /// What is wrong with a setting as shows only where it is used.
    ///
    /// - Parameters:
    ///   - setting: Its name.
    ///   - index: Which of its values.
    ///   - message: What is wrong.
    /// - Returns: It, with the place where the value was written.
    package func problem(_ setting: String, at index: Int = 0, _ message: String) -> ConfigurationProblem {
        let origins = origins[setting] ?? []
        let origin = origins.indices.contains(index) ? origins[index] : .standard(path: setting)
        return ConfigurationProblem(origin: origin, message: message)
    }

    /// The configuration where nothing is wrong with it.
    ///
    /// - Parameter others: What else there is to say where something is.
    /// - Returns: It.
    /// - Throws: ``ConfigurationProblems`` with those that it was read with, and the others.
    package func checked(or others: [ConfigurationProblem] = []) throws(ConfigurationProblems) -> Configuration {
        guard !problems.isEmpty else { return configuration }
        throw ConfigurationProblems(problems: (problems + others).sorted { $0.origin.order < $1.origin.order })
    }
}
