/// How the canonical form of an element is written: always without comments.
package struct Canonicalization: Sendable {
    /// Whether only those namespaces are declared that are used (Exclusive XML Canonicalization 1.0), instead of all that
    /// are in scope (Canonical XML 1.0).
    package var isExclusive: Bool
    /// Prefixes that are treated as if it were not exclusive; the empty one is that of the default namespace.
    package var inclusivePrefixes: Set<String>

    package init(isExclusive: Bool, inclusivePrefixes: Set<String> = []) {
        self.isExclusive = isExclusive
        self.inclusivePrefixes = inclusivePrefixes
    }

    /// The canonical form of a document, or of a part of it.
    ///
    /// - Parameters:
    ///   - element: The part.
    ///   - scope: Namespaces that its ancestors declare, by prefix.
    /// - Returns: In UTF-8.
    package func text(of element: Element, in scope: [String: String] = [:]) -> String {
        var text = ""
        write(element, scope: scope, declared: [:], to: &text)
        return text
    }

    /// Writes an element where its ancestors in the document declare `scope`, and those that were written `declared`.
    private func write(
        _ element: Element,
        scope: [String: String],
        declared: [String: String],
        to text: inout String
    ) {
        let scope = scope.merging(element.declarations) { $1 }
        // XML's own namespace is declared by nobody (Canonical XML 1.0 § 2.3).
        let attributePrefixes = element.attributes.map(\.prefix).filter { !$0.isEmpty && $0 != "xml" }
        let used = Set([element.prefix] + attributePrefixes)
        let wanted = isExclusive ? used.union(inclusivePrefixes.intersection(scope.keys)) : Set(scope.keys)
        var declared = declared
        let name = element.prefix.isEmpty ? element.name : "\(element.prefix):\(element.name)"
        text += "<\(name)"
        for prefix in wanted.sorted() where prefix != "xml" {
            let namespace = scope[prefix] ?? ""
            // No default namespace is what there is in the beginning.
            guard declared[prefix, default: ""] != namespace else { continue }
            declared[prefix] = namespace
            text += prefix.isEmpty ? " xmlns=\"" : " xmlns:\(prefix)=\""
            text += Self.escaped(namespace, inAttribute: true) + "\""
        }
        for attribute in element.attributes.sorted(by: { ($0.namespace, $0.name) < ($1.namespace, $1.name) }) {
            let name = attribute.prefix.isEmpty ? attribute.name : "\(attribute.prefix):\(attribute.name)"
            text += " \(name)=\"\(Self.escaped(attribute.value, inAttribute: true))\""
        }
        text += ">"
        for node in element.nodes {
            switch node {
            case .element(let child): write(child, scope: scope, declared: declared, to: &text)
            case .text(let content): text += Self.escaped(content, inAttribute: false)
            }
        }
        text += "</\(name)>"
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
