import Yams

/// Walks the nodes of a file, noting everything that cannot be a setting.
struct FileReader {
    private let name: String
    private(set) var settings = FileSettings()
    private(set) var problems: [ConfigurationProblem] = []

    /// Reads a file; an empty one has no settings.
    ///
    /// - Throws: ``ConfigurationProblems`` where the text is not YAML: nothing is known of its settings then.
    init(_ file: ConfigurationFile) throws(ConfigurationProblems) {
        name = file.name
        let root: Node?
        do {
            root = try compose(yaml: file.text)
        } catch {
            throw ConfigurationProblems(problems: [ConfigurationProblem(yamlError: error, file: file)])
        }
        if let root { settings.top = readSection(root, path: "", keys: ConfigurationKey.allCases) }
    }

    private mutating func readSection(_ node: Node, path: String, keys: [ConfigurationKey]) -> FileSection {
        var section = FileSection(origin: origin(node, path.isEmpty ? "" : String(path.dropLast())))
        guard let mapping = node.mapping else {
            report(node, String(path.dropLast()), "a list of keys with values is expected, like 'name: live'")
            // Nothing more is said of what it lacks.
            section.settings[.input] = []
            return section
        }
        for (keyNode, value) in mapping {
            let name = keyNode.string ?? ""
            guard let key = keys.first(where: { $0.rawValue == name }) else {
                let suggestion = Suggestion.text(for: name, among: keys.map(\.rawValue))
                report(keyNode, path + name, "there is no such key\(suggestion)")
                continue
            }
            switch key {
            case .channels: settings.channels = readChannels(value)
            case .audio: section.audio = readAudio(value, path: path + key.rawValue)
            default: section.settings[key] = readValues(key, value, path: path + key.rawValue)
            }
        }
        return section
    }

    private mutating func readChannels(_ node: Node) -> [FileSection] {
        guard let list = node.sequence, !list.isEmpty else {
            report(node, "channels", "a list of channels is expected")
            return []
        }
        let keys = ConfigurationKey.allCases.filter { !$0.isOfProcess }
        return list.enumerated().map { readSection($1, path: "channels[\($0)].", keys: keys) }
    }

    private mutating func readAudio(_ node: Node, path: String) -> [FileSection.AudioSettings] {
        guard let list = node.sequence else {
            report(node, path, "a list of audio tracks is expected, like '- {language: en, name: English}'")
            return []
        }
        return list.enumerated().map { index, item in
            var audio = FileSection.AudioSettings(origin: origin(item, "\(path)[\(index)]"))
            guard let mapping = item.mapping else {
                report(item, "\(path)[\(index)]", "an audio track is expected, like '{language: en, name: English}'")
                return audio
            }
            for (keyNode, value) in mapping {
                let name = keyNode.string ?? ""
                let path = "\(path)[\(index)].\(name)"
                switch name {
                case "language": audio.language = readScalar(value, path: path)
                case "name": audio.name = readScalar(value, path: path)
                default: report(keyNode, path, "there is no such key; allowed are language, name")
                }
            }
            return audio
        }
    }

    private mutating func readValues(_ key: ConfigurationKey, _ node: Node, path: String) -> [Setting] {
        guard let list = node.sequence else { return readScalar(node, path: path).map { [$0] } ?? [] }
        guard key.isList, !list.isEmpty else {
            report(node, path, key.isList ? "the list is empty" : "one value is expected, not a list")
            return []
        }
        return list.enumerated().compactMap { readScalar($1, path: "\(path)[\($0)]") }
    }

    private mutating func readScalar(_ node: Node, path: String) -> Setting? {
        guard let scalar = node.scalar else {
            report(node, path, "a single value is expected")
            return nil
        }
        guard !scalar.string.isEmpty, node.null == nil else {
            report(node, path, "there is no value; without the key its default holds")
            return nil
        }
        return Setting(text: scalar.string, origin: origin(node, path))
    }

    private func origin(_ node: Node, _ path: String) -> SettingOrigin {
        .file(name: name, line: node.mark?.line ?? 1, path: path)
    }

    private mutating func report(_ node: Node, _ path: String, _ message: String) {
        problems.append(ConfigurationProblem(origin: origin(node, path), message: message))
    }
}
