import PackagerConfig
import Yams

/// The text of a configuration file, divided into settings of all channels and those of each.
struct WrittenFile {
    typealias Entry = (key: String, value: Node)

    /// A written channel, or several that are made of the programs of one feed.
    struct Section {
        /// The key path before those of its settings: `channels[0].`, or nothing.
        var path: String
        var entries: [Entry]

        /// The channel's name, without the number of a program.
        var name: String { texts("name").first ?? Self.standardName }

        private static let standardName = Setting.ofChannel.first { $0.name == "name" }?.defaultValue ?? ""

        /// The names of its channels.
        var channels: [String] {
            let programs = texts("program")
            return programs.count > 1 ? programs.map { "\(name)-\($0)" } : [name]
        }

        private func texts(_ key: String) -> [String] {
            guard let node = entries.first(where: { $0.key == key })?.value else { return [] }
            return node.sequence.map { list in list.compactMap { $0.scalar?.string } }
                ?? [node.scalar?.string].compactMap(\.self)
        }
    }

    private(set) var top: [Entry] = []
    private(set) var sections: [Section] = []

    /// Takes a file apart that was read before, and that nothing is wrong with.
    init(_ file: ConfigurationFile) {
        let root = (try? compose(yaml: file.text)) ?? nil
        let entries = Self.entries(of: root)
        if let list = entries.first(where: { $0.key == Setting.channelsKey })?.value.sequence {
            top = entries.filter { $0.key != Setting.channelsKey }
            sections = list.enumerated().map {
                Section(path: "\(Setting.channelsKey)[\($0)].", entries: Self.entries(of: $1))
            }
        } else {
            let own = Set(Setting.ofChannel.filter(\.isOfOneChannel).map(\.name))
            top = entries.filter { !own.contains($0.key) }
            sections = [Section(path: "", entries: entries.filter { own.contains($0.key) })]
        }
    }

    /// The fields of a mapping, in their order.
    static func entries(of node: Node?) -> [Entry] {
        node?.mapping.map { mapping in mapping.map { ($0.key.string ?? "", $0.value) } } ?? []
    }
}

extension Node {
    /// A mapping of fields in their order.
    init(_ entries: [WrittenFile.Entry], style: Mapping.Style = .block) {
        self.init(entries.map { (Node($0.key), $0.value) }, .implicit, style)
    }
}
