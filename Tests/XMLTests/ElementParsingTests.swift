import Foundation
import Testing

@testable import XML

/// The documents of strangers that are read, and those that are not.
@Suite struct ElementParsingTests {
    private static func problem(_ document: Data) -> String? {
        do throws(XMLProblem) {
            _ = try Element(parsing: document)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        "<a/>", "<?xml version='1.0'?><a/>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
        "<?xml version='1.0' encoding = 'utf-8' standalone='yes'?>\n<a/>", "<a>encoding='UTF-7'</a>",
        "\u{FEFF}<a/>", "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\r\n<a/>",
    ])
    func utf8IsRead(document: String) {
        #expect(Self.problem(Data(document.utf8)) == nil)
    }

    /// A document type declaration in UTF-7 is not one in UTF-8.
    @Test(arguments: [
        "UTF-7", "UTF-16", "UTF-16LE", "ISO-8859-1", "windows-1252", "UCS-4", "IBM037", "HTML", "", "UTF-8 ", "utf8",
    ])
    func noOtherEncodingIsRead(encoding: String) {
        for quote in ["\"", "'"] {
            let declaration = "<?xml version=\(quote)1.0\(quote) encoding=\(quote)\(encoding)\(quote)?>"
            let document = declaration + "+ADwAIQ-DOCTYPE a [+ADwAIQ-ENTITY b \"c\"+AD4-]+AD4-<a>&b;</a>"
            #expect(Self.problem(Data(document.utf8))?.contains("only UTF-8 is read") == true, "\(encoding)")
            #expect(Self.problem(Data((declaration + "<a/>").utf8))?.contains("only UTF-8 is read") == true)
        }
    }

    /// A declaration that a parser may read otherwise than this one is not read at all.
    @Test(arguments: [
        "version=\"encoding='UTF-8'\" encoding='UTF-7'", "version='1.0' encoding='UTF-8' encoding='UTF-7'",
        "version='1.0' standalone='yes' encoding='UTF-7'", "encoding='UTF-8'", "version='1.0'encoding='UTF-7'",
        "version='1.0' encoding=UTF-7", "version='1.0' encoding", "",
    ])
    func noOtherDeclarationIsRead(declaration: String) {
        let document = "<?xml \(declaration)?><a/>"
        #expect(Self.problem(Data(document.utf8)) == "its XML declaration cannot be read")
    }

    @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf16, .utf32BigEndian, .utf32LittleEndian])
    func noOtherWidthIsRead(encoding: String.Encoding) throws {
        let document = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"
        #expect(Self.problem(try #require(document.data(using: encoding))) == "it is not UTF-8")
    }

    private static func attributes(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined()
    }

    private static let oversized: [(String, String)] = [
        ("<a\(attributes(257) { " a\($0)='1'" })/>", "256 attributes"),
        ("<a\(attributes(300_000) { " a\($0)=''" })/>", "256 attributes"),
        ("<a\(attributes(3000) { " xmlns:n\($0)='u'" })/>", "256 attributes"),
        (
            "<a\(attributes(200) { " xmlns:n\($0)='u'" })><b\(attributes(200) { " xmlns:m\($0)='u'" })/></a>",
            "256 namespaces"
        ),
        ("<\(String(repeating: "a", count: 257))/>", "name is longer"),
        (String(repeating: "<a>", count: 33), "deeper"),
        ("<a>\(String(repeating: "<b/>", count: 250_000))</a>", "more elements"),
        (String(repeating: " ", count: Element.maximumBytes + 1), "longer than"),
    ]

    /// Documents that are small and would take long, each just beyond a bound.
    @Test(arguments: oversized.indices)
    func sizesAreBounded(index: Int) {
        let (document, problem) = Self.oversized[index]
        #expect(Self.problem(Data(document.utf8))?.contains(problem) == true)
    }

    /// Elements below many long names must not take a thousand times the memory of their document.
    @Test func pathsEndWhereTheyAreTooLong() throws {
        let name = String(repeating: "n", count: 256)
        let (begin, end) = ("<\(name)>", "</\(name)>")
        let depth = 31
        let document = String(repeating: begin, count: depth) + "<a/><a/>" + String(repeating: end, count: depth)
        var element = try Element(parsing: document.utf8)
        #expect(element.path == name)
        while let child = element.elements.last { element = child }
        #expect(element.name == "a" && element.path.utf8.count <= ElementBuilder.longestPath + 1 + name.utf8.count)
        let usual = try Element(parsing: "<a><b/><b><c/></b></a>".utf8)
        #expect(usual.elements.last?.elements.first?.path == "a/b[2]/c")
    }

    /// Three bytes of a document must not cost a node each.
    @Test func textThatComesInPiecesIsOneNode() throws {
        let root = try Element(parsing: "<a>1&amp;2<!-- 3 -->4<![CDATA[<5>]]>\n<b>6</b>7&lt;<!-- 8 --></a>\n".utf8)
        #expect(root.nodes.count == 3)
        #expect(root.text == "1&24<5>\n7<" && root.elements.first?.text == "6")
    }

    /// A document within the bounds is read: attributes, and quotation marks that belong to none.
    @Test func whatIsNoAttributeIsNotCounted() throws {
        let attributes = Self.attributes(256) { " a\($0)='1'" }
        let quotes = String(repeating: "'\"", count: 1000)
        let text = "<a\(attributes)>\(quotes)<!-- \(quotes) --><![CDATA[\(quotes)]]><b c='>' d=\"'\"/></a>"
        let root = try Element(parsing: text.utf8)
        #expect(root.attributes.count == 256 && root.text == quotes + quotes)
        #expect(root.elements.first?.attributes.map(\.value).sorted() == ["'", ">"])
    }

    /// Namespaces end with the elements that declare them.
    @Test func siblingsMayEachDeclareNamespaces() throws {
        let child = "<b\(Self.attributes(200) { " xmlns:n\($0)='u'" })><n1:c/></b>"
        let root = try Element(parsing: "<a>\(String(repeating: child, count: 50))</a>".utf8)
        #expect(root.elements.count == 50 && root.elements.last?.elements.first?.namespace == "u")
    }
}
