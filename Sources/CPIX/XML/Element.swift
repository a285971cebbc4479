/// An element of an XML document, with all that its canonical form depends on.
struct Element: Sendable {
    enum Node: Sendable {
        case element(Element)
        case text(String)
    }

    struct Attribute: Sendable {
        /// Empty for none.
        var prefix: String
        var name: String
        /// Empty for none: an attribute without a prefix is in no namespace (Namespaces in XML § 6.2).
        var namespace: String
        var value: String
    }

    /// Empty for none.
    var prefix: String
    var name: String
    /// Empty for none.
    var namespace: String
    /// Namespaces declared here, by prefix; the empty prefix is that of the default namespace.
    var declarations: [String: String] = [:]
    var attributes: [Attribute] = []
    var nodes: [Node] = []
    /// Where it is, for messages.
    var path = ""

    func attribute(_ name: String) -> String? {
        attributes.first { $0.namespace.isEmpty && $0.name == name }?.value
    }

    /// Its child elements, but for what is between and beside them.
    var elements: [Element] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    func elements(_ name: String, _ namespace: Namespace = .cpix) -> [Element] {
        elements.filter { $0.name == name && $0.namespace == namespace.rawValue }
    }

    func element(_ name: String, _ namespace: Namespace = .cpix) -> Element? {
        elements(name, namespace).first
    }

    /// Its text, but for that of its child elements.
    var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }
}
