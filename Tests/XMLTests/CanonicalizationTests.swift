import Foundation
import Testing

@testable import XML

/// The cost of a canonical form, and the form itself.
@Suite struct CanonicalizationTests {
    private static func document(namespaces: Int, children: Int, declaring: Bool) -> String {
        let declarations = (0..<namespaces).map { " xmlns:n\($0)=\"urn:\($0)\"" }.joined()
        let child = declaring ? "<c xmlns:n0=\"urn:other\" n0:a=\"1\"/>" : "<c/>"
        return "<root\(declarations)>\(String(repeating: child, count: children))</root>"
    }

    /// An element costs what it says itself, and not what its ancestors declare.
    @Test(arguments: [false, true], [false, true])
    func namespacesAreLookedAtOnce(isExclusive: Bool, declaring: Bool) throws {
        let (namespaces, children) = (ElementBuilder.maximumNamespaces - 1, 20_000)
        let text = Self.document(namespaces: namespaces, children: children, declaring: declaring)
        let root = try Element(parsing: text.utf8)
        let prefixes = Set((0..<namespaces).map { "n\($0)" })
        let form = Canonicalization(isExclusive: isExclusive, inclusivePrefixes: prefixes)
        var writer = CanonicalWriter(form, scope: [:], most: .max)
        writer.writeApex(root)
        #expect(writer.namespacesVisited <= namespaces + 3 * children)
        let end = declaring ? "<c xmlns:n0=\"urn:other\" n0:a=\"1\"></c></root>" : "<c></c></root>"
        #expect(writer.text.hasSuffix(end) && writer.text.utf8.count > text.utf8.count)
        // Sorted by prefix, as all namespaces of an element are.
        #expect(writer.text.hasPrefix("<root xmlns:n0=\"urn:0\" xmlns:n1=\"urn:1\" xmlns:n10=\"urn:10\""))
    }

    /// Examples of Canonical XML 1.0 and of Exclusive XML Canonicalization 1.0 § 2.2 in small.
    @Test(
        arguments: [
            (false, [], "<a xmlns=\"urn:a\" xmlns:p=\"urn:p\"><p:b><c xmlns=\"\"></c><d></d></p:b></a>"),
            (true, [], "<a xmlns=\"urn:a\"><p:b xmlns:p=\"urn:p\"><c xmlns=\"\"></c><d></d></p:b></a>"),
            (true, ["p"], "<a xmlns=\"urn:a\" xmlns:p=\"urn:p\"><p:b><c xmlns=\"\"></c><d></d></p:b></a>"),
        ] as [(Bool, Set<String>, String)]
    )
    func namespacesAreWrittenWhereTheyChange(isExclusive: Bool, prefixes: Set<String>, expected: String) throws {
        let text = "<a xmlns:p='urn:p' xmlns='urn:a'><p:b xmlns:p='urn:p'><c xmlns=''/><d/></p:b></a>"
        let form = Canonicalization(isExclusive: isExclusive, inclusivePrefixes: prefixes)
        #expect(form.text(of: try Element(parsing: text.utf8), most: expected.utf8.count) == expected)
        #expect(form.text(of: try Element(parsing: text.utf8), most: expected.utf8.count - 1) == nil)
    }

    /// In the exclusive form, every child repeats the namespace that only an ancestor declares.
    @Test func aLongNamespaceIsNotRepeatedWithoutEnd() throws {
        let namespace = String(repeating: "n", count: 100_000)
        let text = "<root xmlns:a=\"\(namespace)\">\(String(repeating: "<a:x/>", count: 20_000))</root>"
        let most = 1 << 20
        var writer = CanonicalWriter(Canonicalization(isExclusive: true), scope: [:], most: most)
        writer.writeApex(try Element(parsing: text.utf8))
        #expect(writer.isTooLong)
        #expect(writer.text.utf8.count <= most + 2 * namespace.utf8.count)
    }
}
