import PackagerConfig

/// The configuration that a text alone gives.
func load(_ yaml: String) throws(ConfigurationProblems) -> Configuration {
    try Configuration.load(file: ConfigurationFile(name: "packager.yaml", text: yaml))
}

/// The problems, each in a line, or none.
func problems(
    flags: [String: [String]] = [:],
    environment: [String: String] = [:],
    yaml: String? = nil
) -> [String] {
    let file = yaml.map { ConfigurationFile(name: "packager.yaml", text: $0) }
    do {
        _ = try Configuration.load(flags: flags, environment: environment, file: file)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}
