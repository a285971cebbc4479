import Yams

extension ConfigurationProblem {
    /// Puts an error of the YAML parser in our words.
    init(yamlError error: any Error, file: ConfigurationFile) {
        var (line, column) = (1, 1)
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            (line, column) = (mark.line, mark.column)
            message = (context.map { "\($0.text): " } ?? "") + problem
            if Self.isIndentedByTab(line, of: file.text) { message = "a tab stands here; YAML is indented by spaces" }
        case .reader(let problem, let offset, _, _):
            let lines = file.text.prefix(offset ?? 0).split(
                omittingEmptySubsequences: false,
                whereSeparator: \.isNewline
            )
            (line, column) = (max(1, lines.count), (lines.last?.count ?? 0) + 1)
            message = problem
        case .duplicatedKeysInMapping(let keys, let context):
            (line, column) = (context.mark.line, context.mark.column)
            let places = keys.map { "\($0)\(Self.lines(of: $0, in: file.text, mappingAt: (line, column)))" }
            message = "these keys are there more than once: \(places.joined(separator: ", "))"
        default:
            message = "this cannot be read as YAML"
        }
        origin = .syntax(name: file.name, line: line, column: column)
    }

    private static func isIndentedByTab(_ line: Int, of text: String) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix(while: \.isWhitespace).contains("\t")
    }

    /// The lines where a mapping in block style has a key, as ` (lines 2 and 4)`; empty if they cannot be found.
    private static func lines(of key: String, in text: String, mappingAt place: (line: Int, column: Int)) -> String {
        let indentation = place.column - 1
        var found: [String] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated().dropFirst(place.line - 1) {
            let content = index == place.line - 1 ? line.dropFirst(indentation) : line.drop { $0 == " " }
            if content.isEmpty || content.hasPrefix("#") { continue }
            let depth = line.count - content.count
            if depth < indentation { break }
            let name = content.prefix { $0 != ":" }.filter { !"\"' ".contains($0) }
            if depth == indentation, name == key { found.append("\(index + 1)") }
        }
        guard let last = found.last, found.count > 1 else { return "" }
        return " (lines \(found.dropLast().joined(separator: ", ")) and \(last))"
    }
}
