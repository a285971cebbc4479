import MediaCore
import NIOCore

/// A box that this module writes: a value that knows its size and writes itself (ISO/IEC 14496-12 § 4.2).
///
/// The files hold a fixed tree, so children are typed properties, and a whole tree is written into one reservation.
protocol Box {
    /// The type of boxes of this kind.
    static var type: FourCC { get }
    /// The type of this box, by default that of its kind.
    var type: FourCC { get }

    /// Bytes behind the box header.
    var contentByteCount: Int { get }

    /// Writes the content after the box header: exactly ``contentByteCount`` bytes.
    func encodeContent(into span: inout OutputRawSpan)
}

extension Box {
    var type: FourCC { Self.type }

    /// Bytes of size and type.
    static var headerByteCount: Int { 8 }

    /// Bytes of the whole box.
    var byteCount: Int { Self.headerByteCount + contentByteCount }

    /// Writes the whole box: exactly ``byteCount`` bytes.
    func encode(into span: inout OutputRawSpan) {
        let (start, size) = (span.byteCount, byteCount)
        span.writeInteger(UInt32(size))
        span.writeInteger(type.code)
        encodeContent(into: &span)
        assert(span.byteCount - start == size, "\(type) is not as long as it says")
    }
}

/// A list of boxes of different kinds. It costs an existential, so only initialization sections use it.
extension [any Box] {
    var byteCount: Int { reduce(0) { $0 + $1.byteCount } }

    func encode(into span: inout OutputRawSpan) {
        for box in self { box.encode(into: &span) }
    }
}

/// A box with a version and flags before its fields (ISO/IEC 14496-12 § 4.2.2).
protocol FullBox: Box {
    var version: UInt8 { get }
    /// 24 bits.
    var flags: UInt32 { get }

    /// Bytes behind version and flags.
    var fieldsByteCount: Int { get }

    /// Writes the fields after version and flags: exactly ``fieldsByteCount`` bytes.
    func encodeFields(into span: inout OutputRawSpan)
}

extension FullBox {
    var version: UInt8 { 0 }
    var flags: UInt32 { 0 }

    /// Bytes of version and flags.
    static var versionAndFlagsByteCount: Int { 4 }

    var contentByteCount: Int { Self.versionAndFlagsByteCount + fieldsByteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(version) << 24 | flags)
        encodeFields(into: &span)
    }
}

extension OutputRawSpan {
    /// Reserved or unused fields.
    mutating func writeZeros(_ count: Int) {
        append(repeating: 0, count: count, as: UInt8.self)
    }

    /// The identity transformation of pictures, 16.16 and 2.30 fixed point (ISO/IEC 14496-12 § 6.2.2).
    mutating func writeUnityMatrix() {
        for value in PicturePlacement(width: 0, height: 0).matrix { writeInteger(value) }
    }
}
