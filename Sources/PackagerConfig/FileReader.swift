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
            case .captions: section.captions = readCaptions(value, path: path + key.rawValue)
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
        let example = "{language: en, name: English}"
        return readList(node, path: path, of: "audio track", example: example) { reader, item, path in
            var audio = FileSection.AudioSettings(origin: reader.origin(item, path))
            let keys = ["language", "name", "characteristics", "default", "autoselect"]
            reader.readFields(item, path: path, keys: keys) { reader, key, value, path in
                switch key {
                case "language": audio.language = reader.readScalar(value, path: path)
                case "name": audio.name = reader.readScalar(value, path: path)
                case "default": audio.isDefault = reader.readScalar(value, path: path)
                case "autoselect": audio.isAutoselect = reader.readScalar(value, path: path)
                default: audio.characteristics = reader.readScalars(value, path: path)
                }
            }
            return audio
        }
    }

    private mutating func readCaptions(_ node: Node, path: String) -> [FileSection.CaptionSettings] {
        let example = "{channel: CC1, language: en, name: English}"
        return readList(node, path: path, of: "caption channel", example: example) { reader, item, path in
            var captions = FileSection.CaptionSettings(origin: reader.origin(item, path))
            reader.readFields(item, path: path, keys: ["channel", "language", "name", "default"]) {
                reader,
                key,
                value,
                path in
                let setting = reader.readScalar(value, path: path)
                switch key {
                case "channel": captions.channel = setting
                case "language": captions.language = setting
                case "name": captions.name = setting
                default: captions.isDefault = setting
                }
            }
            return captions
        }
    }

    /// Reads a list of mappings.
    private mutating func readList<Item>(
        _ node: Node,
        path: String,
        of noun: String,
        example: String,
        _ read: (inout FileReader, Node, String) -> Item
    ) -> [Item] {
        guard let list = node.sequence else {
            report(node, path, "a list of \(noun)s is expected, like '- \(example)'")
            return []
        }
        return list.enumerated().compactMap { index, item in
            let path = "\(path)[\(index)]"
            guard item.mapping != nil else {
                report(item, path, "a mapping is expected for each \(noun), like '\(example)'")
                return nil
            }
            return read(&self, item, path)
        }
    }

    /// Reads the fields of a mapping that have one of the names.
    private mutating func readFields(
        _ node: Node,
        path: String,
        keys: [String],
        _ read: (inout FileReader, String, Node, String) -> Void
    ) {
        for (keyNode, value) in node.mapping ?? [:] {
            let name = keyNode.string ?? ""
            let path = "\(path).\(name)"
            guard keys.contains(name) else {
                report(keyNode, path, "there is no such key; allowed are \(keys.joined(separator: ", "))")
                continue
            }
            read(&self, name, value, path)
        }
    }

    private mutating func readScalars(_ node: Node, path: String) -> [Setting] {
        guard let list = node.sequence else { return readScalar(node, path: path).map { [$0] } ?? [] }
        return list.enumerated().compactMap { readScalar($1, path: "\(path)[\($0)]") }
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
