import HTTPServing

/// The codings that `Accept-Encoding` allows (RFC 9110 § 12.5.3).
///
/// The field is read at every request for a playlist, so its bytes are read without making strings.
package struct AcceptEncoding: Hashable, Sendable {
    /// A request without the field gets no compressed answer.
    package var allowsGzip = false
    /// Allowed unless it is excluded by name, or by the wildcard.
    package var allowsIdentity = true

    package init(_ field: String?) {
        if let field { read(Substring(field).utf8) }
    }

    /// - Parameter bytes: The value of the field.
    init(bytes: Slice<UnsafeRawBufferPointer>) {
        read(bytes)
    }

    private mutating func read(_ bytes: some FieldBytes) {
        var (gzip, identity, wildcard): (Bool?, Bool?, Bool?)
        var rest = bytes
        while !rest.isEmpty {
            var element = Self.next(of: &rest, upTo: UInt8(ascii: ","))
            let coding = Self.next(of: &element, upTo: UInt8(ascii: ";"))
            // A named coding outweighs the wildcard. § 8.4.1.3: x-gzip is the same as gzip.
            if coding.isToken("gzip") || coding.isToken("x-gzip") {
                gzip = gzip ?? Self.isAllowed(element)
            } else if coding.isToken("identity") {
                identity = identity ?? Self.isAllowed(element)
            } else if coding.isToken("*") {
                wildcard = wildcard ?? Self.isAllowed(element)
            }
        }
        allowsGzip = gzip ?? wildcard ?? false
        allowsIdentity = identity ?? wildcard ?? true
    }

    /// Takes the text before a separator, without surrounding space.
    private static func next<Bytes: FieldBytes>(of bytes: inout Bytes, upTo separator: UInt8) -> Bytes {
        let part = bytes.prefix { $0 != separator }
        bytes = bytes[part.endIndex...].dropFirst()
        return part.trimmingSpaces
    }

    /// Returns true if none of the parameters is a weight of 0, with up to three decimals: "not acceptable" (§ 12.4.2).
    ///
    /// Space around "=" is outside the syntax, but its meaning is clear.
    private static func isAllowed(_ parameters: some FieldBytes) -> Bool {
        var rest = parameters
        while !rest.isEmpty {
            var value = next(of: &rest, upTo: UInt8(ascii: ";"))
            guard next(of: &value, upTo: UInt8(ascii: "=")).isToken("q") else { continue }
            let weight = value.trimmingSpaces
            let digits = weight.dropFirst()
            if weight.first == UInt8(ascii: "0"),
                digits.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") })
            {
                return false
            }
        }
        return true
    }
}

/// The bytes of a field, or some of them.
private protocol FieldBytes: BidirectionalCollection<UInt8> where SubSequence == Self {}
extension Substring.UTF8View: FieldBytes {}
extension Slice<UnsafeRawBufferPointer>: FieldBytes {}

extension FieldBytes {
    fileprivate var trimmingSpaces: Self {
        var bytes = self
        while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            bytes = bytes.dropFirst()
        }
        while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            bytes = bytes.dropLast()
        }
        return bytes
    }

    /// Returns true if it is this name, given in small letters; case does not matter.
    fileprivate func isToken(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            elementsEqual(name) { byte, letter in byte == letter || byte | 0x20 == letter && letter >= UInt8(ascii: "a")
            }
        }
    }
}
