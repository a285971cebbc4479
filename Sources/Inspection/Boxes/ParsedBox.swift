import MediaCore
import NIOCore

/// A box found in a file that may come from anywhere.
///
/// The reader shares nothing with the writer, so that it can judge it.
struct ParsedBox: Sendable {
    let type: FourCC
    /// The range of the box, header included, in bytes from the start of the file.
    let range: Range<Int>
    /// The range of the box's content.
    let contentRange: Range<Int>
    /// The file.
    private let bytes: ByteBuffer

    /// The most boxes of one box or file: a file of headers alone would take ten times its size in memory.
    private static let mostBoxes = 1 << 16

    /// The boxes of a file, one after another.
    ///
    /// - Throws: `MalformedBoxError` if a box does not fit.
    static func boxes(in bytes: ByteBuffer) throws(MalformedBoxError) -> [ParsedBox] {
        try boxes(ByteCursor(bytes.slice(), in: 0..<bytes.readableBytes))
    }

    /// The boxes from here to the cursor's end.
    static func boxes(_ cursor: ByteCursor) throws(MalformedBoxError) -> [ParsedBox] {
        var cursor = cursor
        var boxes: [ParsedBox] = []
        while cursor.remaining > 0 {
            guard boxes.count < mostBoxes else { throw MalformedBoxError(.tooManyEntries, at: cursor.position) }
            boxes.append(try ParsedBox(&cursor))
        }
        return boxes
    }

    /// Reads a header and skips the content.
    private init(_ cursor: inout ByteCursor) throws(MalformedBoxError) {
        let start = cursor.position
        let shortSize = try cursor.read(UInt32.self)
        type = try cursor.readFourCC()
        // ISO/IEC 14496-12 § 4.2: 1 is for a 64-bit size behind the type, 0 for a box to the end.
        let size =
            switch shortSize {
            case 0: UInt64(cursor.end - start)
            case 1: try cursor.read(UInt64.self)
            default: UInt64(shortSize)
            }
        if type == "uuid" { try cursor.skip(16) }
        guard size >= UInt64(cursor.position - start), size <= UInt64(cursor.end - start) else {
            throw MalformedBoxError(.impossibleSize, at: start)
        }
        range = start..<start + Int(size)
        contentRange = cursor.position..<range.upperBound
        bytes = cursor.bytes
        try cursor.skip(contentRange.count)
    }

    /// The content's fields.
    var content: ByteCursor { ByteCursor(bytes, in: contentRange) }

    /// The content's bytes.
    var contentBytes: [UInt8] { bytes.getBytes(at: contentRange.lowerBound, length: contentRange.count) ?? [] }

    /// The boxes inside.
    ///
    /// - Parameter skipped: The bytes of fields before the first box.
    /// - Returns: The boxes, in order.
    /// - Throws: `MalformedBoxError` if a box does not fit.
    func children(skipping skipped: Int = 0) throws(MalformedBoxError) -> [ParsedBox] {
        var cursor = content
        try cursor.skip(skipped)
        return try Self.boxes(cursor)
    }

    /// Returns the first inner box of a type.
    ///
    /// - Throws: `MalformedBoxError` if there is none, or a box does not fit.
    func child(_ type: FourCC) throws(MalformedBoxError) -> ParsedBox {
        guard let child = try children().first(type) else {
            throw MalformedBoxError(.missing(type), at: range.lowerBound)
        }
        return child
    }
}

extension [ParsedBox] {
    /// The first box of a type.
    func first(_ type: FourCC) -> ParsedBox? { first { $0.type == type } }
}
