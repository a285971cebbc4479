import Yams

extension Scenario {
    /// Reads and checks a scenario file.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - file: Its name, for messages; without folder and extension it is the scenario's name.
    ///   - sample: Finds a sample that the file names; nil if there is none.
    /// - Returns: The scenario.
    /// - Throws: ``ScenarioProblems`` with everything that is wrong.
    package static func load(
        _ text: String,
        file: String,
        sample: (String) -> String?
    ) throws(ScenarioProblems) -> Scenario {
        let root: Node?
        do {
            root = try compose(yaml: text)
        } catch {
            throw ScenarioProblems(problems: [ScenarioProblem(yamlError: error, file: file, text: text)])
        }
        return try withoutActuallyEscaping(sample) { sample throws(ScenarioProblems) in
            var reader = ScenarioReader(file: file, sample: sample)
            let scenario = root.flatMap { reader.readScenario($0) }
            if root == nil { reader.report(line: 1, "the file is empty") }
            let problems = reader.problems.sorted { $0.line < $1.line }
            guard let scenario, problems.isEmpty else { throw ScenarioProblems(problems: problems) }
            return scenario
        }
    }
}

extension ScenarioProblem {
    /// Puts an error of the YAML parser in our words.
    init(yamlError error: any Error, file: String, text: String) {
        self.file = file
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            line = mark.line
            message = (context.map { "\($0.text): " } ?? "") + problem
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            line = max(1, before.count)
            message = problem
        case .duplicatedKeysInMapping(let keys, let context):
            line = context.mark.line
            message = "these keys are there more than once: \(keys.joined(separator: ", "))"
        default:
            line = 1
            message = "this cannot be read as YAML"
        }
    }
}
