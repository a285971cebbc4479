import Yams

extension ConfigurationProblem {
    /// What the YAML parser says, in our words.
    init(yamlError error: any Error, file: ConfigurationFile) {
        var (line, column) = (1, 1)
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            (line, column) = (mark.line, mark.column)
            message = (context.map { "\($0.text): " } ?? "") + problem
        case .reader(let problem, let offset, _, _):
            let lines = file.text.prefix(offset ?? 0).split(
                omittingEmptySubsequences: false,
                whereSeparator: \.isNewline
            )
            (line, column) = (max(1, lines.count), (lines.last?.count ?? 0) + 1)
            message = problem
        case .duplicatedKeysInMapping(let keys, let context):
            (line, column) = (context.mark.line, context.mark.column)
            message = "these keys are there more than once: \(keys.joined(separator: ", "))"
        default:
            message = "this cannot be read as YAML"
        }
        origin = .syntax(name: file.name, line: line, column: column)
    }
}
