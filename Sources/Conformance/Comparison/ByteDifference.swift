package import NIOCore

/// The place where two buffers that should be equal part.
package struct ByteDifference: Hashable, Sendable, Codable {
    /// The offset of the first byte that differs, or that only one side has.
    var offset: Int
    /// The bytes there; nil beyond the end.
    package var first: UInt8?
    package var second: UInt8?
    var firstLength: Int
    var secondLength: Int
    /// The boxes around the offset, outermost first; nil if it is not in one (ISO/IEC 14496-12 § 4.2).
    var box: String?

    /// Compares two sequences of bytes; fails if they are equal.
    package init?(_ first: ByteBuffer, _ second: ByteBuffer) {
        guard first != second else { return nil }
        let (one, other) = (first.readableBytesView, second.readableBytesView)
        offset = zip(one, other).prefix { $0 == $1 }.count
        self.first = one.dropFirst(offset).first
        self.second = other.dropFirst(offset).first
        firstLength = one.count
        secondLength = other.count
        box = BoxPath.path(to: offset, in: first) ?? BoxPath.path(to: offset, in: second)
    }
}

extension ByteDifference: CustomStringConvertible {
    package var description: String {
        func text(_ byte: UInt8?) -> String {
            guard let byte else { return "the end" }
            let digits = String(byte, radix: 16, uppercase: true)
            return "0x" + String(repeating: "0", count: 2 - digits.count) + digits
        }
        let place = box.map { " in \($0)" } ?? ""
        return
            "byte \(offset)\(place) is \(text(first)) and \(text(second)), of \(firstLength) and \(secondLength) bytes"
    }
}
