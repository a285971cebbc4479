import Foundation
import FoundationXML

extension TTMLElement {
    /// Parses a document.
    ///
    /// A document type declaration is refused, and with it every entity that is not XML's own: nothing is fetched, and
    /// nothing grows while it is read.
    init(parsing text: String) throws(TimedTextError) {
        // What may stand before it is a byte order mark, and nothing else that matters.
        let data = Data(text.utf8.drop { $0 != UInt8(ascii: "<") })
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil else {
            throw TimedTextError("a document type declaration is not allowed")
        }
        // Foundation's parser does not survive an instruction without data.
        let declaration = data.starts(with: Data("<?xml ".utf8)) ? 2 : 0
        guard data.dropFirst(declaration).range(of: Data("<?".utf8)) == nil else {
            throw TimedTextError("processing instructions are not allowed")
        }
        let builder = Builder()
        // Piece by piece: of what it is given at once, the parser takes no more than 10 MB.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let isComplete = parser.parse()
        if let problem = builder.problem { throw problem }
        guard isComplete, let root = builder.root else { throw TimedTextError("it is not well-formed XML") }
        self = root
    }

    /// Builds the tree from what Foundation's parser reports.
    private final class Builder: NSObject, XMLParserDelegate {
        /// No document is as deep as this.
        private static let maximumDepth = 32
        private static let maximumCount = 1_000_000

        private(set) var root: TTMLElement?
        private(set) var problem: TimedTextError?
        private var open: [TTMLElement] = []
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
                return refuse("it is deeper or has more elements than any subtitles", parser)
            }
            let attributes = attributes.map { (Self.local($0.key), $0.value.replacing("&#38;", with: "&")) }
            open.append(
                TTMLElement(
                    name: Self.local(name),
                    attributes: Dictionary(attributes) { first, _ in first },
                    line: parser.lineNumber
                )
            )
        }

        func parser(
            _ parser: XMLParser,
            didEndElement _: String,
            namespaceURI: String?,
            qualifiedName _: String?
        ) {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { open[open.count - 1].nodes.append(.element(element)) }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) { append(text) }

        func parser(_ parser: XMLParser, foundIgnorableWhitespace text: String) { append(text) }

        func parser(_ parser: XMLParser, foundCDATA block: Data) { append(String(decoding: block, as: UTF8.self)) }

        func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
            if problem == nil { problem = TimedTextError("line \(parser.lineNumber): it is not well-formed XML") }
        }

        private func append(_ text: String) {
            if !open.isEmpty { open[open.count - 1].nodes.append(.text(text)) }
        }

        private func refuse(_ message: String, _ parser: XMLParser) {
            if problem == nil { problem = TimedTextError("line \(parser.lineNumber): \(message)") }
            parser.abortParsing()
        }

        private static func local(_ name: String) -> String {
            name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
        }
    }
}
