extension Element {
    /// An element to be written.
    ///
    /// - Parameters:
    ///   - name: In `namespace`.
    ///   - namespace: Written with its own prefix.
    ///   - attributes: In no namespace; those that are nil are left out.
    ///   - children: Elements.
    package init(
        _ name: String,
        _ namespace: Namespace,
        _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: [Element] = []
    ) {
        self.init(prefix: namespace.prefix, name: name, namespace: namespace.uri)
        self.attributes = attributes.compactMap { name, value in
            value.map { Attribute(prefix: "", name: name, namespace: "", value: $0) }
        }
        nodes = children.map(Node.element)
    }

    /// An element of nothing but text.
    package init(
        _ name: String,
        _ namespace: Namespace,
        _ attributes: KeyValuePairs<String, String?> = [:],
        text: String
    ) {
        self.init(name, namespace, attributes)
        nodes = text.isEmpty ? [] : [.text(text)]
    }

    /// Returns the element with its children on lines of their own, indented.
    package func indented(by depth: Int = 0) -> Element {
        guard !elements.isEmpty else { return self }
        var copy = self
        let line = { (depth: Int) in Node.text("\n" + String(repeating: "  ", count: depth)) }
        copy.nodes = elements.flatMap { [line(depth + 1), .element($0.indented(by: depth + 1))] } + [line(depth)]
        return copy
    }

    /// The whole document that it is the root of.
    ///
    /// - Parameter namespaces: The namespaces to declare at the root, if they are used.
    /// - Returns: In UTF-8, with its declaration.
    package func document(declaring namespaces: [Namespace]) -> String {
        var root = self
        for namespace in namespaces where root.uses(namespace) {
            root.declarations[namespace.prefix] = namespace.uri
        }
        var writer = CanonicalWriter(Canonicalization(isExclusive: false), scope: [:], most: .max)
        writer.writeApex(root)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(writer.text)\n"
    }

    private func uses(_ namespace: Namespace) -> Bool {
        self.namespace == namespace.uri || elements.contains { $0.uses(namespace) }
    }
}
