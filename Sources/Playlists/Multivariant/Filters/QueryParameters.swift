/// The parameters of a query: percent-encoded names and values, separated by ampersands.
package struct QueryParameters: Sequence, IteratorProtocol {
    /// The most parameters of a query; further ones are ignored.
    ///
    /// Each is compared with many names, on the event loop of a connection, and a head has room for thousands.
    package static let most = 256

    private var rest: Substring.UTF8View
    private var left = Self.most

    /// Takes a query without its question mark; a fragment behind it is ignored.
    package init(_ query: Substring) {
        rest = query.utf8.prefix { $0 != UInt8(ascii: "#") }
    }

    package mutating func next() -> (name: Substring, value: Substring)? {
        if rest.isEmpty || left == 0 { return nil }
        left -= 1
        let parameter = rest.prefix { $0 != UInt8(ascii: "&") }
        rest = rest[parameter.endIndex...].dropFirst()
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        return (Substring(name), Substring(parameter[name.endIndex...].dropFirst()))
    }
}
