internal import Glibc

/// The NAL units of an access unit, one after another, without a copy.
///
/// Start codes are found by `memchr` for their third byte, the only one that is rare in coded video: two bytes before
/// it are looked at once in 256 bytes. Start codes of three and four bytes, bytes ahead of the first one and zero bytes
/// behind a NAL unit are all understood; empty NAL units are left out.
package struct NALUnits: ~Escapable {
    /// The separation of NAL units.
    package enum Framing: Hashable, Sendable {
        /// Start codes between them (ISO/IEC 14496-10 Annex B).
        case startCodes
        /// A length of 1, 2 or 4 bytes ahead of each (ISO/IEC 14496-15 § 5.3).
        case lengths(size: Int)
    }

    /// A start code with the zero byte that parameter sets, and the first NAL unit of an access unit, have ahead of it
    /// (ISO/IEC 14496-10 § B.1.2).
    static let startCode: [UInt8] = [0, 0, 0, 1]

    private let bytes: RawSpan
    private let framing: Framing
    private var offset: Int

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, framing: Framing) {
        self.bytes = bytes
        self.framing = framing
        self.offset =
            switch framing {
            case .startCodes: bytes.withUnsafeBytes { Self.startCode(in: $0, from: 0) + 3 }
            case .lengths: 0
            }
    }

    /// The position of the next NAL unit's start code or length, or the count of bytes behind the last one.
    var position: Int {
        switch framing {
        case .startCodes: min(offset - 3, bytes.byteCount)
        case .lengths: offset
        }
    }

    /// The next NAL unit, header byte first, never empty; nil behind the last one.
    ///
    /// - Throws: ``CodecError/truncated`` if a length reaches beyond the end.
    @_lifetime(copy self)
    package mutating func next() throws(CodecError) -> RawSpan? {
        let range =
            switch framing {
            case .startCodes: nextByStartCode()
            case .lengths(let size): try nextByLength(ofSize: size)
            }
        guard let range else { return nil }
        return bytes.extracting(range)
    }

    private mutating func nextByStartCode() -> Range<Int>? {
        while offset < bytes.byteCount {
            let start = offset
            let (end, next) = bytes.withUnsafeBytes { bytes in
                let next = Self.startCode(in: bytes, from: start)
                var end = next
                // Annex B.1: zero bytes ahead of a start code are not part of the NAL unit, which never ends in one.
                while end > start, bytes[end - 1] == 0 { end -= 1 }
                return (end, next)
            }
            offset = next + 3
            if end > start { return start..<end }
        }
        return nil
    }

    private mutating func nextByLength(ofSize size: Int) throws(CodecError) -> Range<Int>? {
        while offset < bytes.byteCount {
            guard bytes.byteCount - offset >= size else { throw .truncated }
            var length = 0
            for index in offset..<offset + size {
                length = length << 8 | Int(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
            let start = offset + size
            guard length <= bytes.byteCount - start else { throw .truncated }
            offset = start + length
            if length > 0 { return start..<offset }
        }
        return nil
    }

    /// Returns the offset of the next 00 00 01, or the count of `bytes` if there is none.
    private static func startCode(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var candidate = start + 2
        while candidate < bytes.count {
            guard let found = memchr(base + candidate, 1, bytes.count - candidate) else { break }
            candidate = UnsafeRawPointer(found) - base
            if bytes[candidate - 1] == 0, bytes[candidate - 2] == 0 { return candidate - 2 }
            candidate += 1
        }
        return bytes.count
    }
}
