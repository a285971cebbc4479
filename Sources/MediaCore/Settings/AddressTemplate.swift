/// A URL with placeholders for the facts of an ad break, such as `https://ads.example.com/{channel}/{event-id}`.
package struct AddressTemplate: Hashable, Sendable {
    package enum Field: String, Hashable, Sendable, CaseIterable {
        /// The ID of the range that names the address.
        case id
        case eventID = "event-id"
        /// The planned duration in seconds; empty if unknown.
        case duration
        /// segmentation_type_id in hexadecimal digits; nothing for splice_insert.
        case type
        case upid
        /// The time when it begins, as playlists write it.
        case start
        case channel
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    package struct UnknownField: Error, Hashable {
        /// The text with any braces.
        package var text: String
    }

    /// The original text.
    package let text: String
    private let parts: [Part]

    /// - Throws: ``UnknownField`` for a placeholder of another name, and for one that is not closed.
    package init(_ text: String) throws(UnknownField) {
        self.text = text
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let name = rest[open...].dropFirst().prefix { $0 != "}" }
            guard name.endIndex < rest.endIndex, let field = Field(rawValue: String(name)) else {
                throw UnknownField(text: String(rest[open...].prefix(name.count + 2)))
            }
            parts.append(.field(field))
            rest = rest[name.endIndex...].dropFirst()
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// Returns the address for one break; a field without a value is left empty.
    ///
    /// - Parameter values: The plain values, which are percent-encoded here.
    /// - Returns: The URL.
    package func filled(_ values: [Field: String]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): (values[field] ?? "").percentEncoded
            }
        }
        .joined()
    }
}

extension String {
    /// The text with all but unreserved characters encoded (RFC 3986 § 2.3).
    package var percentEncoded: String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
