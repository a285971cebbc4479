/// The parameters of a query: names and values that ampersands separate, still percent-encoded.
package struct QueryParameters: Sequence, IteratorProtocol {
    /// The most parameters of a query; those behind them are passed over.
    ///
    /// Each is compared with many names, on the event loop of a connection, and a head has room for thousands.
    package static let most = 256

    private var rest: Substring.UTF8View
    private var left = Self.most

    /// Takes a query without its question mark; a fragment behind it is passed over.
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
