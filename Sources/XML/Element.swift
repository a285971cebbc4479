/// An element of an XML document, with all that its canonical form depends on.
package struct Element: Sendable {
    package enum Node: Sendable {
        case element(Element)
        case text(String)
    }

    package struct Attribute: Sendable {
        /// Empty for none.
        package var prefix: String
        package var name: String
        /// Empty for none: an attribute without a prefix is in no namespace (Namespaces in XML § 6.2).
        package var namespace: String
        package var value: String
    }

    /// Empty for none.
    package var prefix: String
    package var name: String
    /// Empty for none.
    package var namespace: String
    /// Namespaces declared here, by prefix; the empty prefix is that of the default namespace.
    package var declarations: [String: String] = [:]
    package var attributes: [Attribute] = []
    package var nodes: [Node] = []
    /// The path of the element, for messages.
    package var path = ""
    /// The line of the document, from 1 on.
    package var line = 1

    package func attribute(_ name: String) -> String? {
        attributes.first { $0.namespace.isEmpty && $0.name == name }?.value
    }

    /// Returns the value of an attribute by its local name, in any namespace.
    package func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The child elements, without the nodes between them.
    package var elements: [Element] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    package func elements(_ name: String, _ namespace: Namespace) -> [Element] {
        elements.filter { $0.name == name && $0.namespace == namespace.uri }
    }

    package func element(_ name: String, _ namespace: Namespace) -> Element? {
        elements(name, namespace).first
    }

    /// The text of the element, without that of its child elements.
    package var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    /// The first descendant of a local name, itself included.
    package func first(_ name: String) -> Element? {
        if self.name == name { return self }
        for element in elements { if let found = element.first(name) { return found } }
        return nil
    }

    /// All descendants of a local name.
    package func all(_ name: String) -> [Element] {
        elements.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    package init(prefix: String, name: String, namespace: String, declarations: [String: String] = [:]) {
        self.prefix = prefix
        self.name = name
        self.namespace = namespace
        self.declarations = declarations
    }
}
