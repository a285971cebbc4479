import Yams

/// The channels that were added, changed and removed by the control API.
///
/// It is kept beside the configuration file, which only its author writes. A channel of the overlay replaces the
/// channel of that name in the file, or is added to them. Channels that the overlay names as removed do not run.
package struct ChannelOverlay: Hashable, Sendable {
    /// The channels' documents, in the order in which they were added.
    package private(set) var channels: [ChannelDocument] = []
    /// Names of channels of the configuration file.
    package private(set) var removed: [String] = []

    package init() {}

    package var isEmpty: Bool { channels.isEmpty && removed.isEmpty }

    /// Reads a file written by ``text``, or by hand.
    ///
    /// - Throws: ``ConfigurationProblems`` if it is not that.
    package init(_ file: ConfigurationFile) throws(ConfigurationProblems) {
        let root: Node?
        do { root = try compose(yaml: file.text) } catch {
            throw ConfigurationProblems(problems: [ConfigurationProblem(yamlError: error, file: file)])
        }
        guard let root else { return }
        guard let tree = WrittenTree(file: root), let entries = tree.entries else {
            throw Self.problem(root, file, "", "'\(Setting.channelsKey)' and '\(Setting.removedKey)' are expected")
        }
        for entry in entries {
            switch (entry.key, entry.value) {
            case (Setting.channelsKey, .list(let list)):
                for (index, item) in list.enumerated() {
                    let path = "\(Setting.channelsKey)[\(index)]"
                    guard case .text(let name)? = item.entries?.first(where: { $0.key == "name" })?.value else {
                        throw Self.problem(root, file, path, "a channel with its name is expected")
                    }
                    channels.append(ChannelDocument(name: name, tree: item))
                }
            case (Setting.removedKey, .list(let list)): removed = list.flatMap(\.texts)
            default: throw Self.problem(root, file, entry.key, "there is no such list")
            }
        }
    }

    private static func problem(
        _ node: Node,
        _ file: ConfigurationFile,
        _ path: String,
        _ message: String
    ) -> ConfigurationProblems {
        let origin = SettingOrigin.file(name: file.name, line: node.mark?.line ?? 1, path: path)
        return ConfigurationProblems(problems: [ConfigurationProblem(origin: origin, message: message)])
    }

    /// Adds a channel, or replaces the one of its name.
    package mutating func put(_ document: ChannelDocument) {
        removed.removeAll { $0 == document.name }
        if let index = channels.firstIndex(where: { $0.name == document.name }) {
            channels[index] = document
        } else {
            channels.append(document)
        }
    }

    /// Removes a channel.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isInFile: True if the configuration file has one of that name.
    package mutating func remove(_ name: String, isInFile: Bool) {
        channels.removeAll { $0.name == name }
        if isInFile, !removed.contains(name) { removed.append(name) }
    }

    /// The overlay in YAML, as ``init(_:)`` reads it.
    package var text: String {
        var entries: [WrittenTree.Entry] = []
        if !channels.isEmpty { entries.append(.init(key: Setting.channelsKey, value: .list(channels.map(\.tree)))) }
        if !removed.isEmpty {
            entries.append(.init(key: Setting.removedKey, value: .list(removed.map(WrittenTree.text))))
        }
        let head = """
            # Channels as the control API has changed them. It is written by packager; a channel that is here takes the place
            # of the one of its name in the configuration file. Whoever edits it by hand has it read again (POST /reload).

            """
        if entries.isEmpty { return head }
        // Only texts, lists and mappings, which every emitter can write.
        let yaml = try? serialize(node: WrittenTree.mapping(entries).node, width: -1, allowUnicode: true)
        return head + (yaml ?? "")
    }
}
