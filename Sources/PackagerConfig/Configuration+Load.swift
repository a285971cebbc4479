extension Configuration {
    /// Reads and checks a configuration: flags win over the environment, which wins over the file.
    ///
    /// - Parameters:
    ///   - flags: Values by name without `--`, several of those that repeat; none stands for "yes".
    ///   - environment: All variables of the process; those that begin with `PACKAGER_` count. An empty one counts as
    ///     absent, and `PACKAGER_INPUT` has a feed on each line.
    ///   - file: A file in YAML. Its top level holds for every channel that does not override it; without `channels` it
    ///     describes one channel.
    ///   - needsInput: True if a channel without a feed is wrong.
    /// - Returns: The configuration, with its ``warnings``.
    /// - Throws: ``ConfigurationProblems`` with everything that is wrong.
    package static func load(
        flags: [String: [String]] = [:],
        environment: [String: String] = [:],
        file: ConfigurationFile? = nil,
        needsInput: Bool = true
    ) throws(ConfigurationProblems) -> Configuration {
        try read(flags: flags, environment: environment, file: file, needsInput: needsInput).checked()
    }

    /// Reads a configuration as ``load(flags:environment:file:needsInput:)`` does, also with problems.
    ///
    /// - Throws: ``ConfigurationProblems`` if it cannot be read at all.
    package static func read(
        flags: [String: [String]],
        environment: [String: String],
        file: ConfigurationFile?,
        needsInput: Bool = true
    ) throws(ConfigurationProblems) -> ConfigurationReading {
        let texts = ConfigurationTexts(file: file)
        return try read(flags: flags, environment: environment, texts: texts, needsInput: needsInput)
    }

    /// Reads a configuration with the changes of channels since its file was written.
    ///
    /// - Throws: ``ConfigurationProblems`` if it cannot be read at all.
    package static func read(
        flags: [String: [String]],
        environment: [String: String],
        texts: ConfigurationTexts,
        needsInput: Bool = true
    ) throws(ConfigurationProblems) -> ConfigurationReading {
        var reader = try ConfigurationReader(flags: flags, environment: environment, texts: texts)
        return reader.read(needsInput: needsInput)
    }
}
