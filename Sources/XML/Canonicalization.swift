/// The rules for the canonical form of an element, always without comments.
package struct Canonicalization: Sendable {
    /// True if only those namespaces are declared that are used (Exclusive XML Canonicalization 1.0), instead of all
    /// that are in scope (Canonical XML 1.0).
    package var isExclusive: Bool
    /// Prefixes that are treated as if it were not exclusive; the empty one is that of the default namespace.
    package var inclusivePrefixes: Set<String>

    package init(isExclusive: Bool, inclusivePrefixes: Set<String> = []) {
        self.isExclusive = isExclusive
        self.inclusivePrefixes = inclusivePrefixes
    }

    /// Returns the canonical form of a document, or of a part.
    ///
    /// - Parameters:
    ///   - element: The part.
    ///   - scope: Namespaces that its ancestors declare, by prefix.
    ///   - most: The most bytes of the text: a few bytes of a document can each stand for a long namespace.
    /// - Returns: The text in UTF-8; nil if it is longer.
    package func text(of element: Element, in scope: [String: String] = [:], most: Int) -> String? {
        var writer = CanonicalWriter(self, scope: scope, most: most)
        writer.writeApex(element)
        return writer.isTooLong ? nil : writer.text
    }
}

/// Writes elements in canonical form.
///
/// The cost of an element does not depend on the number of namespaces in scope.
struct CanonicalWriter {
    private(set) var text = ""
    private let most: Int
    /// True once the text is longer than it may be; nothing is written any more.
    var isTooLong: Bool { text.utf8.count > most }
    /// The number of visited namespaces, for tests of the cost.
    private(set) var namespacesVisited = 0

    private let form: Canonicalization
    /// Namespaces that the open elements and those around them declare, by prefix.
    private var scope: [String: String]
    /// The namespaces that are written.
    private var written: [String: String] = [:]

    /// - Parameters:
    ///   - form: The rules.
    ///   - scope: Namespaces that the ancestors of the outermost element declare, by prefix.
    ///   - most: The bytes after which no element and no namespace is begun.
    init(_ form: Canonicalization, scope: [String: String], most: Int) {
        (self.form, self.scope, self.most) = (form, scope, most)
    }

    /// Writes the outermost element, whose scope has not been written yet.
    mutating func writeApex(_ element: Element) {
        scope.merge(element.declarations) { $1 }
        let inherited = form.isExclusive ? scope.keys.filter(form.inclusivePrefixes.contains) : Array(scope.keys)
        write(element, candidates: inherited)
    }

    /// - Parameters:
    ///   - element: The element, whose declarations are in scope.
    ///   - candidates: The prefixes to declare, used here or not.
    private mutating func write(_ element: Element, candidates: [String]) {
        if isTooLong { return }
        let name = Self.name(element.prefix, element.name)
        text += "<\(name)"
        let replaced = writeNamespaces(of: element, candidates)
        for attribute in element.attributes.sorted(by: { ($0.namespace, $0.name) < ($1.namespace, $1.name) }) {
            text += " \(Self.name(attribute.prefix, attribute.name))=\""
            text += Self.escaped(attribute.value, inAttribute: true) + "\""
        }
        text += ">"
        for node in element.nodes {
            switch node {
            case .element(let child): writeChild(child)
            case .text(let content): text += Self.escaped(content, inAttribute: false)
            }
        }
        text += "</\(name)>"
        for (prefix, namespace) in replaced { written[prefix] = namespace }
    }

    /// Writes a child; namespaces that it leaves as they are have been written with its ancestors.
    private mutating func writeChild(_ element: Element) {
        let outer = element.declarations.map { prefix, _ in (prefix, scope[prefix]) }
        for (prefix, namespace) in element.declarations { scope[prefix] = namespace }
        let own = element.declarations.keys
        write(element, candidates: form.isExclusive ? own.filter(form.inclusivePrefixes.contains) : Array(own))
        for (prefix, namespace) in outer { scope[prefix] = namespace }
    }

    /// - Returns: The namespaces that were written before for the prefixes that are declared here.
    private mutating func writeNamespaces(
        of element: Element,
        _ candidates: [String]
    ) -> [(prefix: String, namespace: String?)] {
        var wanted = Set(candidates)
        if form.isExclusive {
            wanted.insert(element.prefix)
            wanted.formUnion(element.attributes.lazy.map(\.prefix).filter { !$0.isEmpty })
        }
        // XML's own namespace is never declared (Canonical XML 1.0 § 2.3).
        wanted.remove("xml")
        namespacesVisited += wanted.count
        var replaced: [(prefix: String, namespace: String?)] = []
        for prefix in wanted.sorted() {
            let namespace = scope[prefix] ?? ""
            // At the beginning there is no default namespace.
            guard !isTooLong, written[prefix, default: ""] != namespace else { continue }
            replaced.append((prefix, written.updateValue(namespace, forKey: prefix)))
            text += prefix.isEmpty ? " xmlns=\"" : " xmlns:\(prefix)=\""
            text += Self.escaped(namespace, inAttribute: true) + "\""
        }
        return replaced
    }

    private static func name(_ prefix: String, _ name: String) -> String {
        prefix.isEmpty ? name : "\(prefix):\(name)"
    }

    /// Canonical XML 1.0 § 2.3.
    private static func escaped(_ text: String, inAttribute: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">" where !inAttribute: escaped += "&gt;"
            case "\"" where inAttribute: escaped += "&quot;"
            case "\t" where inAttribute: escaped += "&#x9;"
            case "\n" where inAttribute: escaped += "&#xA;"
            case "\r": escaped += "&#xD;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
