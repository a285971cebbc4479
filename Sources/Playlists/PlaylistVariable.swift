/// A variable that the lines below its tag use as `{$NAME}`: EXT-X-DEFINE (RFC 8216bis § 4.4.2.3).
package struct PlaylistVariable: Hashable, Sendable {
    /// Letters, digits, `-` and `_`; unique in a playlist.
    var name: String
    var source: Source

    enum Source: Hashable, Sendable {
        case value(String)
        /// The variable of the same name in the multivariant playlist: IMPORT.
        case multivariantPlaylist
        /// The query parameter of the playlist's own URI, which must have it: QUERYPARAM.
        case query
    }

    init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    /// The reference that stands for its value.
    var reference: String { "{$\(name)}" }

    /// The lowest protocol version that has it (RFC 8216bis § 8).
    var version: Int { source == .query ? 11 : 8 }

    var attributes: AttributeList {
        var list = AttributeList()
        switch source {
        case .value(let value):
            list.append("NAME", quoted: name)
            list.append("VALUE", quoted: value)
        case .multivariantPlaylist: list.append("IMPORT", quoted: name)
        case .query: list.append("QUERYPARAM", quoted: name)
        }
        return list
    }

    /// Fails unless the attributes define exactly one variable (RFC 8216bis § 4.4.2.3).
    init?(_ attributes: AttributeList) {
        let value = attributes.quoted("VALUE").map(Source.value)
        let sources: [(String?, Source?)] = [
            (attributes.quoted("NAME"), value), (attributes.quoted("IMPORT"), .multivariantPlaylist),
            (attributes.quoted("QUERYPARAM"), .query),
        ]
        let said = sources.compactMap { name, source in name.map { ($0, source) } }
        guard said.count == 1, let (name, source) = said.first, let source else { return nil }
        self.init(name, source)
    }
}

extension [String: String] {
    /// The values of variables by name: given ones, and those that the playlist itself defines.
    package func values(of variables: [PlaylistVariable]) -> Self {
        variables.reduce(into: [:]) { values, variable in
            values[variable.name] = if case .value(let value) = variable.source { value } else { self[variable.name] }
        }
    }

    /// Fills in the variables of a line that have a value, once (RFC 8216bis § 4.3).
    ///
    /// - Parameters:
    ///   - line: A line of a playlist.
    ///   - room: The bytes left for values; filled values are subtracted.
    /// - Returns: The line; nil if there is no room for the values.
    func filling(_ line: Substring, _ room: inout Int) -> Substring? {
        let filled = line.replacing(/\{\$([A-Za-z0-9_-]+)\}/) { match in
            guard let value = self[String(match.1)] else { return String(match.0) }
            room -= value.utf8.count
            return room < 0 ? "" : value
        }
        return room < 0 ? nil : Substring(filled)
    }
}
