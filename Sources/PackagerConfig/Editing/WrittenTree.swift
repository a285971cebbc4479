import Yams

/// The texts of a value in YAML or JSON, without styles, comments and anchors.
indirect enum WrittenTree: Hashable, Sendable {
    case none
    case text(String)
    case list([WrittenTree])
    /// The entries, in the order of the file.
    case mapping([Entry])

    struct Entry: Hashable, Sendable {
        var key: String
        var value: WrittenTree
    }

    /// The most nodes of a channel, and levels of them; aliases can multiply nodes beyond the text's length.
    private static let (most, deepest) = (10_000, 8)

    /// Copies a node; fails if it is larger or deeper than a channel's description, or if a key is not text.
    init?(_ node: Node) {
        var rest = Self.most
        guard let tree = Self.tree(of: node, depth: 0, &rest) else { return nil }
        self = tree
    }

    /// Copies the root of a file, in which every listed channel may be as large as a channel's description.
    init?(file root: Node) {
        guard let mapping = root.mapping else { return nil }
        var entries: [Entry] = []
        for (key, value) in mapping {
            guard let key = key.string else { return nil }
            if key == Setting.channelsKey, let channels = value.sequence {
                let list = channels.compactMap { WrittenTree($0) }
                guard list.count == channels.count else { return nil }
                entries.append(Entry(key: key, value: .list(list)))
            } else {
                guard let tree = WrittenTree(value) else { return nil }
                entries.append(Entry(key: key, value: tree))
            }
        }
        self = .mapping(entries)
    }

    private static func tree(of node: Node, depth: Int, _ rest: inout Int) -> WrittenTree? {
        rest -= 1
        guard rest > 0, depth < deepest else { return nil }
        if let sequence = node.sequence {
            var list: [WrittenTree] = []
            for element in sequence {
                guard let tree = tree(of: element, depth: depth + 1, &rest) else { return nil }
                list.append(tree)
            }
            return .list(list)
        }
        if let mapping = node.mapping {
            var entries: [Entry] = []
            for (key, value) in mapping {
                guard let key = key.string, let tree = tree(of: value, depth: depth + 1, &rest) else { return nil }
                entries.append(Entry(key: key, value: tree))
            }
            return .mapping(entries)
        }
        guard let scalar = node.scalar else { return nil }
        return node.null == nil ? .text(scalar.string) : WrittenTree.none
    }

    var entries: [Entry]? {
        if case .mapping(let entries) = self { entries } else { nil }
    }

    /// The node of YAML, every text as plain as it can be.
    var node: Node {
        switch self {
        case .none: Node("null", Tag(.null))
        case .text(let text): Node(text, Tag(.str), Self.isPlain(text) ? .plain : .doubleQuoted)
        case .list(let list): Node(list.map(\.node))
        case .mapping(let entries):
            Node(
                entries.map { (Node($0.key, Tag(.str), Self.isPlain($0.key) ? .plain : .doubleQuoted), $0.value.node) }
            )
        }
    }

    /// Returns true if YAML reads it as this text, of whatever type.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCIILetterOrDigit || first == "/" else { return false }
        return text.lowercased() != "null"
            && text.unicodeScalars.allSatisfy { $0.isASCIILetterOrDigit || "._-/".unicodeScalars.contains($0) }
    }

    /// Returns the tree after a merge patch (RFC 7396 § 2): null takes a key away, mappings are merged, all else is
    /// replaced.
    func merged(with patch: WrittenTree) -> WrittenTree {
        guard case .mapping(let changes) = patch else { return patch }
        var merged = entries ?? []
        for change in changes {
            let index = merged.firstIndex { $0.key == change.key }
            if change.value == .none {
                if let index { merged.remove(at: index) }
            } else if let index {
                merged[index].value = merged[index].value.merged(with: change.value)
            } else {
                merged.append(Entry(key: change.key, value: WrittenTree.none.merged(with: change.value)))
            }
        }
        return .mapping(merged)
    }

    /// The same with another text for each.
    func mapTexts(_ transform: (String) -> String) -> WrittenTree {
        switch self {
        case .none: self
        case .text(let text): .text(transform(text))
        case .list(let list): .list(list.map { $0.mapTexts(transform) })
        case .mapping(let entries):
            .mapping(entries.map { Entry(key: $0.key, value: $0.value.mapTexts(transform)) })
        }
    }

    var texts: [String] {
        switch self {
        case .none: []
        case .text(let text): [text]
        case .list(let list): list.flatMap(\.texts)
        case .mapping(let entries): entries.flatMap(\.value.texts)
        }
    }
}

extension WrittenTree: Encodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Whole numbers and truth values are written as such, if the text is the same.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .mapping(let entries):
            var container = encoder.container(keyedBy: Key.self)
            for entry in entries { try container.encode(entry.value, forKey: Key(stringValue: entry.key)) }
        case .list(let list):
            var container = encoder.unkeyedContainer()
            for element in list { try container.encode(element) }
        case .none:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .text(let text):
            var container = encoder.singleValueContainer()
            if let number = Int(text), String(number) == text {
                try container.encode(number)
            } else if text == "true" || text == "false" {
                try container.encode(text == "true")
            } else {
                try container.encode(text)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (properties.isAlphabetic || ("0"..."9").contains(self)) }
}
