import Yams

/// Walks the nodes of a file, noting everything that cannot be a setting.
struct FileReader {
    private let name: String
    private(set) var top = SettingLayer()
    private(set) var problems: [ConfigurationProblem] = []

    /// Reads a file; an empty one has no settings.
    ///
    /// - Parameters:
    ///   - file: The file to read.
    ///   - isOverlay: True if it has channels and nothing else, but for the names of those that are removed.
    /// - Throws: ``ConfigurationProblems`` if the text is not YAML, or no mapping: nothing is known of its settings then.
    init(_ file: ConfigurationFile, isOverlay: Bool = false) throws(ConfigurationProblems) {
        name = file.name
        let root: Node?
        do {
            root = try compose(yaml: file.text)
        } catch {
            throw ConfigurationProblems(problems: [ConfigurationProblem(yamlError: error, file: file)])
        }
        guard let root else { return }
        if isOverlay {
            if let channels = root[Setting.channelsKey] { top.items[Setting.channelsKey] = readChannels(channels) }
            return
        }
        top = readSection(root, path: "", settings: Setting.ofProcess + Setting.ofChannel)
        if root.mapping == nil { throw ConfigurationProblems(problems: problems) }
    }

    /// Reads a section; it has no origin if the node is not a section.
    private mutating func readSection(_ node: Node, path: String, settings: [Setting]) -> SettingLayer {
        let place = path.isEmpty ? "" : String(path.dropLast())
        guard let mapping = node.mapping else {
            report(node, place, "a list of keys with values is expected, like 'name: live'")
            return SettingLayer()
        }
        var layer = SettingLayer(origin: origin(node, place))
        let isTop = path.isEmpty
        for (keyNode, value) in mapping {
            let name = keyNode.string ?? ""
            if isTop, name == Setting.channelsKey {
                layer.items[name] = readChannels(value)
            } else if let setting = settings.first(where: { $0.name == name }) {
                read(setting, value, path: path + name, into: &layer)
            } else {
                let names = settings.map(\.name) + (isTop ? [Setting.channelsKey] : [])
                report(keyNode, path + name, "there is no such key" + Suggestion.text(for: name, among: names))
            }
        }
        return layer
    }

    private mutating func read(_ setting: Setting, _ value: Node, path: String, into layer: inout SettingLayer) {
        if let items = setting.items {
            layer.items[setting.name] = readItems(items, value, path: path)
        } else {
            layer.values[setting.name] = readValues(setting, value, path: path)
        }
    }

    private mutating func readChannels(_ node: Node) -> [SettingLayer] {
        let key = Setting.channelsKey
        guard let list = node.sequence, !list.isEmpty else {
            report(node, key, "a list of channels is expected")
            return []
        }
        return list.enumerated().map { readSection($1, path: "\(key)[\($0)].", settings: Setting.ofChannel) }
    }

    /// Reads a list of mappings.
    private mutating func readItems(_ items: Setting.Items, _ node: Node, path: String) -> [SettingLayer] {
        guard let list = node.sequence else {
            report(node, path, "a list of \(items.noun)s is expected, like '- \(items.example)'")
            return []
        }
        return list.enumerated().compactMap { index, item in
            let path = "\(path)[\(index)]"
            guard let mapping = item.mapping else {
                report(item, path, "a mapping is expected for each \(items.noun), like '\(items.example)'")
                return nil
            }
            var layer = SettingLayer(origin: origin(item, path))
            for (keyNode, value) in mapping {
                let name = keyNode.string ?? ""
                if let field = items.fields.first(where: { $0.name == name }) {
                    read(field, value, path: "\(path).\(name)", into: &layer)
                } else {
                    let names = items.fields.map(\.name).joined(separator: ", ")
                    report(keyNode, "\(path).\(name)", "there is no such key; allowed are \(names)")
                }
            }
            return layer
        }
    }

    private mutating func readValues(_ setting: Setting, _ node: Node, path: String) -> [WrittenValue] {
        guard let list = node.sequence else { return readScalar(node, path: path).map { [$0] } ?? [] }
        guard setting.syntax.isList, !list.isEmpty else {
            report(node, path, setting.syntax.isList ? "the list is empty" : "one value is expected, not a list")
            return []
        }
        return list.enumerated().compactMap { readScalar($1, path: "\(path)[\($0)]") }
    }

    private mutating func readScalar(_ node: Node, path: String) -> WrittenValue? {
        guard let scalar = node.scalar else {
            report(node, path, "a single value is expected")
            return nil
        }
        guard !scalar.string.isEmpty, node.null == nil else {
            report(node, path, "there is no value; to use the default, leave out the key")
            return nil
        }
        return WrittenValue(text: scalar.string, origin: origin(node, path))
    }

    private func origin(_ node: Node, _ path: String) -> SettingOrigin {
        .file(name: name, line: node.mark?.line ?? 1, path: path)
    }

    private mutating func report(_ node: Node, _ path: String, _ message: String) {
        problems.append(ConfigurationProblem(origin: origin(node, path), message: message))
    }
}
