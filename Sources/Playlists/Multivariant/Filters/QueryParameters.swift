/// The parameters of a query: names and values that ampersands separate, still percent-encoded.
package struct QueryParameters: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    /// Takes a query without its question mark; a fragment behind it is passed over.
    package init(_ query: Substring) {
        rest = query.utf8.prefix { $0 != UInt8(ascii: "#") }
    }

    package mutating func next() -> (name: Substring, value: Substring)? {
        if rest.isEmpty { return nil }
        let parameter = rest.prefix { $0 != UInt8(ascii: "&") }
        rest = rest[parameter.endIndex...].dropFirst()
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        return (Substring(name), Substring(parameter[name.endIndex...].dropFirst()))
    }
}
