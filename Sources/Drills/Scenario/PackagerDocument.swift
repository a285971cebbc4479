/// A configuration file for a packager: one key a line.
struct PackagerDocument: Hashable {
    private(set) var options: [Scenario.Option]

    init(_ options: [Scenario.Option]) {
        self.options = options
    }

    mutating func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { options.append(Scenario.Option(name, values)) }
    }

    /// YAML in which every value is quoted, so that none can be taken for anything but itself.
    var text: String {
        options.map { option in
            let values = option.values.map { "'\($0.replacing("'", with: "''"))'" }
            let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
            return "\(option.name): \(value)\n"
        }.joined()
    }
}
