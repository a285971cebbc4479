import Foundation
import FoundationXML

extension Element {
    /// The length of the longest document that is read: of keys, three days with a new one every 30 s at 1.7 kB each.
    package static let maximumBytes = 16 << 20

    /// Parses a document in UTF-8.
    ///
    /// A document type declaration is refused, and with it every entity that is not XML's own: nothing is fetched, and
    /// nothing grows while it is read.
    package init(parsing bytes: some Sequence<UInt8>) throws(XMLProblem) {
        var data = Data(bytes)
        // The byte order mark is no part of the document (XML 1.0 § 4.3.3), and servers write one.
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { data = Data(data.dropFirst(3)) }
        guard data.count <= Self.maximumBytes else {
            throw XMLProblem("it is longer than \(Self.maximumBytes) bytes")
        }
        // Two bytes a character, without a byte order mark, are UTF-8 as well: with zeros between them.
        guard String(validating: data, as: UTF8.self) != nil, !data.contains(0) else {
            throw XMLProblem("it is not UTF-8")
        }
        // In another encoding, the search below could miss matches.
        guard let encoding = data.encoding else { throw XMLProblem("its XML declaration cannot be read") }
        guard encoding.uppercased() == "UTF-8" else {
            throw XMLProblem("its encoding is \(encoding.prefix(40)), and only UTF-8 is read")
        }
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil else {
            throw XMLProblem("a document type declaration is not allowed")
        }
        // Foundation's parser does not survive an instruction without data.
        let declaration = data.starts(with: Data("<?xml ".utf8)) ? 2 : 0
        guard data.dropFirst(declaration).range(of: Data("<?".utf8)) == nil else {
            throw XMLProblem("processing instructions are not allowed")
        }
        // The parser compares every attribute of an element to every other.
        guard data.mostQuotesInATag <= 2 * ElementBuilder.maximumAttributes else {
            throw XMLProblem("an element has more than \(ElementBuilder.maximumAttributes) attributes")
        }
        let builder = ElementBuilder()
        // The parser reads a stream, because it takes at most 10 MB at once.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let isComplete = parser.parse()
        if let problem = builder.problem { throw problem }
        guard isComplete, let root = builder.root else { throw XMLProblem("it is not well-formed XML") }
        self = root
    }
}

extension Data {
    /// The encoding in the XML declaration (XML 1.0 § 2.8), UTF-8 by default; nil for a malformed declaration.
    fileprivate var encoding: String? {
        guard starts(with: Data("<?xml ".utf8)) else { return "UTF-8" }
        let declaration = String(decoding: prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        let version = /\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+')/
        let standalone = /\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)')/
        let encoding = /\s+encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/
        guard let version = declaration.dropFirst(5).prefixMatch(of: version) else { return nil }
        var rest = declaration[version.range.upperBound...]
        var name = "UTF-8"
        if let match = rest.prefixMatch(of: encoding) {
            name = String(match.1 ?? match.2 ?? "")
            rest = rest[match.range.upperBound...]
        }
        if let match = rest.prefixMatch(of: standalone) { rest = rest[match.range.upperBound...] }
        return rest.wholeMatch(of: /\s*\?/) == nil ? nil : name
    }

    /// The most quotation marks around values that a tag has.
    fileprivate var mostQuotesInATag: Int {
        var (most, count) = (0, 0)
        /// The quotation mark around the current value; nil outside of tags, zero inside of one between its values.
        var open: UInt8?
        var previous: UInt8 = 0
        for byte in self {
            switch (byte, open) {
            // An attribute value cannot contain this character.
            case (UInt8(ascii: "<"), _): (open, count) = (0, 0)
            // Comments and character data are no tags.
            case (UInt8(ascii: "!"), 0?) where previous == UInt8(ascii: "<"): open = nil
            case (UInt8(ascii: ">"), 0?): open = nil
            case (UInt8(ascii: "\""), 0?), (UInt8(ascii: "'"), 0?): (open, count) = (byte, count + 1)
            case (let byte, let quote?) where byte == quote: (open, count) = (0, count + 1)
            default: break
            }
            most = Swift.max(most, count)
            previous = byte
        }
        return most
    }
}
