import Foundation
import FoundationXML

/// An element of a VAST document, by local names.
struct VASTElement {
    var name: String
    var attributes: [String: String]
    private var elements: [VASTElement] = []
    private var content = ""

    /// Without the white space around it.
    var text: String { content.trimmingCharacters(in: .whitespacesAndNewlines) }

    func child(_ name: String) -> VASTElement? { elements.first { $0.name == name } }

    func children(_ name: String) -> [VASTElement] { elements.filter { $0.name == name } }

    /// Parses a document.
    ///
    /// A document type declaration is refused, and with it every entity that is not XML's own: nothing is fetched, and
    /// nothing grows while it is read.
    init(parsing bytes: [UInt8]) throws(AdSourceError) {
        let data = Data(bytes.drop { $0 != UInt8(ascii: "<") })
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil else {
            throw AdSourceError("a document type declaration is not allowed")
        }
        // Foundation's parser does not survive an instruction without data.
        let declaration = data.starts(with: Data("<?xml ".utf8)) ? 2 : 0
        guard data.dropFirst(declaration).range(of: Data("<?".utf8)) == nil else {
            throw AdSourceError("processing instructions are not allowed")
        }
        let builder = Builder()
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        guard parser.parse(), !builder.isTooLarge, let root = builder.root else {
            throw AdSourceError(
                builder.isTooLarge
                    ? "its answer is deeper or has more elements than any VAST" : "its answer is not well-formed XML"
            )
        }
        self = root
    }

    private init(name: String, attributes: [String: String]) {
        (self.name, self.attributes) = (name, attributes)
    }

    /// Builds the tree from what Foundation's parser reports.
    private final class Builder: NSObject, XMLParserDelegate {
        private static let maximumDepth = 32
        private static let maximumCount = 100_000

        private(set) var root: VASTElement?
        private(set) var isTooLarge = false
        private var open: [VASTElement] = []
        private var count = 0

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName _: String?,
            attributes: [String: String]
        ) {
            count += 1
            guard open.count < Self.maximumDepth, count <= Self.maximumCount else {
                isTooLarge = true
                return parser.abortParsing()
            }
            let attributes = attributes.map { (Self.local($0.key), $0.value.replacing("&#38;", with: "&")) }
            open.append(
                VASTElement(name: Self.local(name), attributes: Dictionary(attributes) { first, _ in first })
            )
        }

        func parser(
            _ parser: XMLParser,
            didEndElement _: String,
            namespaceURI: String?,
            qualifiedName _: String?
        ) {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { open[open.count - 1].elements.append(element) }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) { append(text) }

        func parser(_ parser: XMLParser, foundCDATA block: Data) { append(String(decoding: block, as: UTF8.self)) }

        private func append(_ text: String) {
            if !open.isEmpty { open[open.count - 1].content += text }
        }

        private static func local(_ name: String) -> String {
            name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
        }
    }
}
