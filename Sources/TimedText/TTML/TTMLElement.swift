/// An element of a TTML document.
///
/// Names are local: what is not of TTML's namespaces has others.
struct TTMLElement {
    enum Node {
        case element(TTMLElement)
        case text(String)
    }

    var name: String
    /// By local name.
    var attributes: [String: String]
    var nodes: [Node] = []
    /// In the document, from 1 on.
    var line: Int

    var elements: [TTMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first descendant of a name, itself included.
    func first(_ name: String) -> TTMLElement? {
        if self.name == name { return self }
        for element in elements { if let found = element.first(name) { return found } }
        return nil
    }

    /// All descendants of a name.
    func all(_ name: String) -> [TTMLElement] {
        elements.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }
}
