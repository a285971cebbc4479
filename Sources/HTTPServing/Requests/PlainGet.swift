package import NIOCore

/// A GET that is read without a parser: the bytes of one whole head, and the parts of them that answers depend on.
///
/// The reader is strict: it leaves to the parser everything unusual, and every request for more than a whole resource.
/// The parser also gets requests with repeated known fields, or with text that is not printable ASCII. Both read
/// accepted requests alike.
public struct PlainGet: Sendable {
    /// The bytes of the head, which all ranges are counted in from its first byte.
    package let head: ByteBuffer
    /// The request target.
    package private(set) var target = 0..<0
    /// The path of the target: printable, and neither percent-encoded nor with a backslash.
    package private(set) var path = 0..<0
    package private(set) var acceptEncoding: Range<Int>?
    package private(set) var userAgent: Range<Int>?
    package private(set) var referer: Range<Int>?
    /// The values of the fields whose names begin with `CMCD-`.
    package private(set) var reports: [Range<Int>] = []
    private var hasHost = false

    /// Tells its sender's address from others.
    package var client = 0
    /// The client's address as text; empty if it has none.
    package var clientAddress = ""
    /// The protocol and its version, as logs write it.
    package var protocolName = "HTTP/1.1"
    /// True if the answer may be the bytes of a file, as with ``Request/takesFiles``.
    package var takesFiles = false
    /// The time at which it was read.
    package var arrival = NIODeadline.now()

    /// The most fields that are looked at.
    private static let mostFields = 64

    /// Reads bytes as they have arrived.
    ///
    /// - Returns: Nil if they are not exactly one request, or not a plain one.
    package init?(_ bytes: ByteBuffer) {
        head = bytes
        guard bytes.withUnsafeReadableBytes({ read($0) }) else { return nil }
    }

    package var hasQuery: Bool { path != target }

    /// Gives the bytes of the head for as long as `body` runs.
    ///
    /// The function and its type are public because the compiler only then specialises it for other modules.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        head.withUnsafeReadableBytes(body)
    }

    /// A part of the head as text.
    package func text(_ range: Range<Int>) -> String {
        withBytes { String(decoding: UnsafeRawBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    /// Returns the first value of a field that is not read otherwise, whose name is given in small letters.
    package func value(of name: StaticString) -> Range<Int>? {
        withBytes { bytes in
            // Behind " HTTP/1.1" and its line break.
            var index = target.upperBound + 11
            while bytes[index] != UInt8(ascii: "\r") {
                let end = bytes[index...].firstIndex(of: UInt8(ascii: "\r")) ?? bytes.endIndex
                let value = index + name.utf8CodeUnitCount + 2
                if value < end, bytes.names(name, in: index..<(value - 2)), bytes[value - 2] == UInt8(ascii: ":") {
                    return value..<end
                }
                index = end + 2
            }
            return nil
        }
    }

    /// Removes the beginning of the path, which is private, and the referring page, whose address may contain it.
    package mutating func dropPathPrefix(_ count: Int) {
        let start = path.lowerBound + count
        (target, path) = (start..<target.upperBound, start..<path.upperBound)
        referer = nil
    }

    // MARK: Reading

    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The last line break ends every loop below.
        guard bytes.count > 20, bytes.holds("GET /", at: 0), bytes.holds("\r\n\r\n", at: bytes.count - 4),
            var index = readTarget(bytes)
        else { return false }
        for _ in 0...Self.mostFields {
            if bytes[index] == UInt8(ascii: "\r") { return index == bytes.count - 2 && hasHost }
            guard let next = readField(bytes, at: index) else { return false }
            index = next
        }
        return false
    }

    /// - Returns: The index of the line behind the request line; nil if it is not a plain one.
    private mutating func readTarget(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 4
        var end: Int?
        while case let byte = bytes[index], byte != UInt8(ascii: " ") {
            guard (0x21...0x7E).contains(byte), byte != UInt8(ascii: "#") else { return nil }
            if end == nil {
                if byte == UInt8(ascii: "?") { end = index }
                if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") { return nil }
            }
            index += 1
        }
        (target, path) = (4..<index, 4..<(end ?? index))
        return bytes.holds(" HTTP/1.1\r\n", at: index) ? index + 11 : nil
    }

    /// - Returns: The index of the next line; nil if the field is not a plain one.
    private mutating func readField(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var index = start
        while bytes[index].isOfPlainName { index += 1 }
        let name = start..<index
        // Exactly one space is required, as all clients write it, so that the value is unambiguous.
        guard !name.isEmpty, bytes.holds(": ", at: index) else { return nil }
        let first = index + 2
        index = first
        while (0x20...0x7E).contains(bytes[index]) { index += 1 }
        let value = first..<index
        guard !value.isEmpty, bytes[first] != UInt8(ascii: " "), bytes[index - 1] != UInt8(ascii: " "),
            bytes.holds("\r\n", at: index), take(name, value, bytes)
        else { return nil }
        return index + 2
    }

    /// - Returns: False if the parser has to read the request.
    private mutating func take(_ name: Range<Int>, _ value: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        func isNamed(_ text: StaticString) -> Bool { bytes.names(text, in: name) }
        func begins(_ text: StaticString) -> Bool { bytes.names(text, in: name, isPrefix: true) }
        switch bytes[name.lowerBound] | 0x20 {
        case UInt8(ascii: "a") where isNamed("accept-encoding"): return Self.set(&acceptEncoding, value)
        case UInt8(ascii: "c"):
            if isNamed("connection") { return bytes.names("keep-alive", in: value) }
            if begins("cmcd-") { reports.append(value) }
            return !begins("content-")
        case UInt8(ascii: "e"): return !isNamed("expect")
        case UInt8(ascii: "h"):
            guard isNamed("host") else { return !begins("http2-") }
            defer { hasHost = true }
            return !hasHost
        case UInt8(ascii: "i"): return !begins("if-")
        case UInt8(ascii: "p"): return !begins("proxy-")
        case UInt8(ascii: "r"): return isNamed("referer") ? Self.set(&referer, value) : !isNamed("range")
        case UInt8(ascii: "t"): return !begins("transfer-") && !begins("trailer")
        case UInt8(ascii: "u"): return isNamed("user-agent") ? Self.set(&userAgent, value) : !isNamed("upgrade")
        default: return true
        }
    }

    private static func set(_ field: inout Range<Int>?, _ value: Range<Int>) -> Bool {
        defer { field = value }
        return field == nil
    }
}

extension UInt8 {
    /// True for letters, digits, `-` and `_`: few names of fields have others.
    fileprivate var isOfPlainName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns true if it has this text at an index.
    fileprivate func holds(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { self[index + $0] == text[$0] }
        }
    }

    /// Returns true if a part of it is this lower-case text, or begins with it; case does not matter.
    fileprivate func names(_ text: StaticString, in range: Range<Int>, isPrefix: Bool = false) -> Bool {
        let length = text.utf8CodeUnitCount
        guard isPrefix ? range.count >= length : range.count == length else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { self[range.lowerBound + $0] | 0x20 == text[$0] }
        }
    }
}
