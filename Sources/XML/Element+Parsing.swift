import Foundation
import FoundationXML

extension Element {
    /// What a document may take at most: 1.7 kB for each crypto period, of two weeks with a new one every 30 s.
    package static let maximumBytes = 64 << 20

    /// Parses a document in UTF-8.
    ///
    /// A document type declaration is refused, and with it every entity that is not XML's own: nothing is fetched, and
    /// nothing grows while it is read.
    package init(parsing bytes: some Sequence<UInt8>) throws(XMLProblem) {
        let data = Data(bytes)
        guard data.count <= Self.maximumBytes else {
            throw XMLProblem("it is longer than \(Self.maximumBytes) bytes")
        }
        guard String(validating: data, as: UTF8.self) != nil else { throw XMLProblem("it is not UTF-8") }
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil else {
            throw XMLProblem("a document type declaration is not allowed")
        }
        // Foundation's parser does not survive an instruction without data.
        let declaration = data.starts(with: Data("<?xml ".utf8)) ? 2 : 0
        guard data.dropFirst(declaration).range(of: Data("<?".utf8)) == nil else {
            throw XMLProblem("processing instructions are not allowed")
        }
        let builder = ElementBuilder()
        // Piece by piece: of what it is given at once, the parser takes no more than 10 MB.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let isComplete = parser.parse()
        if let problem = builder.problem { throw problem }
        guard isComplete, let root = builder.root else { throw XMLProblem("it is not well-formed XML") }
        self = root
    }
}
