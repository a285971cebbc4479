import Foundation
import FoundationXML

/// Builds the tree of a document from the events of Foundation's parser.
///
/// Namespaces are resolved here, since canonical forms need the prefixes as they were written.
final class ElementBuilder: NSObject, XMLParserDelegate {
    /// The most levels of elements.
    private static let maximumDepth = 32
    /// The most elements: CPIX has fifteen for each crypto period, which is five days with a new one every 30 s.
    private static let maximumCount = 250_000
    /// The most attributes of an element, with its namespaces.
    static let maximumAttributes = 256
    /// The most namespaces in scope at once.
    static let maximumNamespaces = 256
    /// Bytes of an element's name.
    private static let longestName = 256
    /// The most bytes of an element's path, which all its children repeat.
    static let longestPath = 512

    private(set) var root: Element?
    private(set) var problem: XMLProblem?
    private var open: [Element] = []
    /// The text since the last tag, which comes in pieces at each reference and comment: a node takes far more memory
    /// than a character.
    private var text = ""
    /// The namespaces that the open elements declare, by prefix, the innermost last.
    private var scope = ["": [""], "xml": ["http://www.w3.org/XML/1998/namespace"]]
    private var namespaceCount = 0
    /// The number of children of each name, of each open element.
    private var counts: [[String: Int]] = [[:]]
    private var count = 0

    func parser(
        _ parser: XMLParser,
        didStartElement qualifiedName: String,
        namespaceURI: String?,
        qualifiedName _: String?,
        attributes: [String: String]
    ) {
        appendText()
        count += 1
        guard open.count < Self.maximumDepth, count <= Self.maximumCount else {
            return refuse("it is deeper, or has more elements, than is read", parser)
        }
        guard qualifiedName.utf8.count <= Self.longestName else {
            return refuse("an element's name is longer than \(Self.longestName) bytes", parser)
        }
        var declarations: [String: String] = [:]
        for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
            declarations[String(name.dropFirst(6))] = Self.expanded(value)
        }
        for (prefix, namespace) in declarations { scope[prefix, default: []].append(namespace) }
        namespaceCount += declarations.count
        guard namespaceCount <= Self.maximumNamespaces else {
            return refuse("more than \(Self.maximumNamespaces) namespaces are in scope", parser)
        }
        let (prefix, name) = Self.split(qualifiedName)
        let number = counts[counts.count - 1][name, default: 0] + 1
        counts[counts.count - 1][name] = number
        var element = Element(prefix: prefix, name: name, namespace: "", declarations: declarations)
        element.line = parser.lineNumber
        element.path = Self.path(in: open.last?.path, name, number)
        // The parser has refused prefixes that are not declared.
        element.namespace = scope[prefix]?.last ?? ""
        for (qualifiedName, value) in attributes where qualifiedName != "xmlns" && !qualifiedName.hasPrefix("xmlns:") {
            let (prefix, name) = Self.split(qualifiedName)
            let namespace = prefix.isEmpty ? "" : scope[prefix]?.last ?? ""
            let value = Self.expanded(value)
            element.attributes.append(.init(prefix: prefix, name: name, namespace: namespace, value: value))
        }
        open.append(element)
        counts.append([:])
    }

    func parser(
        _ parser: XMLParser,
        didEndElement _: String,
        namespaceURI: String?,
        qualifiedName _: String?
    ) {
        appendText()
        guard let element = open.popLast() else { return }
        for prefix in element.declarations.keys { scope[prefix]?.removeLast() }
        namespaceCount -= element.declarations.count
        counts.removeLast()
        if open.isEmpty { root = element } else { append(.element(element)) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { self.text += text }

    func parser(_ parser: XMLParser, foundIgnorableWhitespace text: String) { self.text += text }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        text += String(decoding: block, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard problem == nil else { return }
        problem = XMLProblem("it is not well-formed XML", line: parser.lineNumber)
    }

    private func append(_ node: Element.Node) {
        guard !open.isEmpty else { return }
        open[open.count - 1].nodes.append(node)
    }

    /// Adds the text between two tags to the innermost open element.
    private func appendText() {
        if text.isEmpty { return }
        append(.text(text))
        text = ""
    }

    private static func path(in parent: String?, _ name: String, _ number: Int) -> String {
        let own = number > 1 ? "\(name)[\(number)]" : name
        guard let parent else { return own }
        return parent.utf8.count > longestPath ? parent : "\(parent)/\(own)"
    }

    private func refuse(_ message: String, _ parser: XMLParser) {
        if problem == nil { problem = XMLProblem(message, line: parser.lineNumber) }
        parser.abortParsing()
    }

    /// The parser leaves an ampersand in an attribute as the reference to it that libxml2 makes of every reference to
    /// one.
    private static func expanded(_ value: String) -> String { value.replacing("&#38;", with: "&") }

    private static func split(_ name: String) -> (prefix: String, name: String) {
        let parts = name.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", name)
    }
}
