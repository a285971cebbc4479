import Yams

/// A value of a manifest; the fields of mappings stay in the order in which they are written.
indirect enum ManifestValue: Hashable, Sendable {
    case text(String)
    /// A text of several lines, which stays readable as a block.
    case block(String)
    case number(Int)
    case flag(Bool)
    case list([ManifestValue])
    case mapping([Field])

    struct Field: Hashable, Sendable {
        var key: String
        var value: ManifestValue
    }

    /// A mapping of the fields that have a value.
    static func fields(_ fields: KeyValuePairs<String, ManifestValue?>) -> ManifestValue {
        .mapping(fields.compactMap { field in field.value.map { Field(key: field.key, value: $0) } })
    }

    /// A list; nil if it would be empty.
    static func items(_ items: [ManifestValue]) -> ManifestValue? { items.isEmpty ? nil : .list(items) }

    static func texts(_ texts: [String]) -> ManifestValue { .list(texts.map { .text($0) }) }

    /// The node of YAML.
    var node: Node {
        switch self {
        case .text(let text): Node(text, Tag(.str), Self.isPlain(text) ? .plain : .doubleQuoted)
        case .block(let text): Node(text, Tag(.str), .literal)
        case .number(let number): Node("\(number)", Tag(.int), .plain)
        case .flag(let flag): Node("\(flag)", Tag(.bool), .plain)
        case .list(let values): Node(values.map(\.node), Tag(.seq), .block)
        case .mapping(let fields):
            Node(fields.map { (ManifestValue.text($0.key).node, $0.value.node) }, Tag(.map), .block)
        }
    }

    /// Words that readers of YAML 1.1 take for something else than text.
    private static let words: Set = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]

    /// Returns true if every reader of YAML takes it for this text.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "/"),
            text.utf8.last != UInt8(ascii: ":")
        else { return false }
        return !words.contains(text.lowercased())
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "._-/:".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension ManifestValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension ManifestValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(arrayLiteral elements: ManifestValue...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, ManifestValue)...) {
        self = .mapping(elements.map { Field(key: $0.0, value: $0.1) })
    }
}
