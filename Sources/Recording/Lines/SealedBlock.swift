import Files
import MediaCore
import NIOCore
import Playlists
import Presentation

/// The table of a block's file of lines: its pieces and their places.
///
///     mark, length and checksum of the table, table     then, in any order:
///     the lines of each playlist, compressed as well    read when they are wanted
///     declarations, date ranges, initialization sections
///
/// All of it follows from the index, and is made again if it is missing, damaged, or of another index.
struct SealedBlock: Sendable {
    /// The first slot that it has lines of.
    let first: MediaSequenceNumber
    /// The number of discontinuities in the blocks before.
    let discontinuities: Int
    /// The bytes of the index from which it was made.
    let indexByteCount: Int
    /// The ``LineStyle/mark``.
    let style: String
    /// A bit for each slot of the block that was recorded.
    private let recorded: [UInt64]
    private(set) var sections: [RenditionID: Place] = [:]
    private(set) var story = Place()

    /// A piece of the file.
    struct Place: Hashable, Sendable {
        /// The playlist; nil for the ``BlockMetadata``.
        fileprivate(set) var section: LineSection?
        /// The bytes, counted from the start of the file.
        fileprivate(set) var range = 0..<0
        fileprivate var checksum: UInt32 = 0

        /// Returns true if the bytes are those that were written.
        func isWhole(_ bytes: ByteBuffer) -> Bool { bytes.readableBytes == range.count && bytes.checksum == checksum }
    }

    /// Bytes before the table.
    static let headCount = 12
    private static let mark: UInt32 = 0x504B_4C31
    /// The most bytes of a table: some thousands of playlists.
    private static let limit = 1 << 22

    /// Makes the file of a block.
    ///
    /// - Throws: The error of `JSONEncoder`.
    static func file(
        of contents: BlockContents,
        lines: [RenditionLines],
        indexByteCount: Int,
        style: LineStyle
    ) throws -> ByteBuffer {
        var payload = ByteBuffer()
        func append(_ piece: ByteBuffer, _ section: LineSection?) -> Place {
            let begin = payload.readableBytes
            payload.writeImmutableBuffer(piece)
            return Place(section: section, range: begin..<payload.readableBytes, checksum: piece.checksum)
        }
        let places = lines.map { append($0.encoded, $0.section) }
        let story = append(try BlockMetadata(contents).json(), nil)
        var table = ByteBuffer()
        table.writeInteger(contents.head.first.value)
        table.writeInteger(Int64(contents.head.discontinuities))
        table.writeInteger(Int64(indexByteCount))
        table.write(text: style.mark)
        for word in words(of: contents) { table.writeInteger(word) }
        table.write(story)
        table.writeInteger(UInt32(places.count))
        for place in places { table.write(place) }
        var file = ByteBuffer(integer: mark)
        file.writeInteger(UInt32(table.readableBytes))
        file.writeInteger(table.checksum)
        file.writeImmutableBuffer(table)
        file.writeImmutableBuffer(payload)
        return file
    }

    /// Returns a bit for each slot that was recorded.
    private static func words(of contents: BlockContents) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: Int(BlockNumber.length) / 64)
        for number in contents.slots.keys {
            let (word, bit) = (number.value % BlockNumber.length).quotientAndRemainder(dividingBy: 64)
            words[Int(word)] |= 1 << UInt64(bit)
        }
        return words
    }

    /// Returns true if a slot of the block was recorded.
    func hasRecorded(_ number: MediaSequenceNumber) -> Bool {
        let (word, bit) = (number.value % BlockNumber.length).quotientAndRemainder(dividingBy: 64)
        return recorded[Int(word)] >> UInt64(bit) & 1 == 1
    }

    /// Reads the length of the table.
    ///
    /// - Parameter head: The first bytes of the file, ``headCount`` of them.
    /// - Returns: The length in bytes; nil if it is not a file of lines.
    static func tableCount(_ head: ByteBuffer) -> Int? {
        var head = head
        guard head.readInteger() == mark, let count = head.readInteger(as: UInt32.self), count <= limit else {
            return nil
        }
        return Int(count)
    }

    /// Reads the table.
    ///
    /// - Parameters:
    ///   - head: As for ``tableCount(_:)``.
    ///   - table: The bytes behind it, as many as the table has. The result is nil if they are damaged.
    init?(head: ByteBuffer, table: ByteBuffer) {
        guard head.getInteger(at: head.readerIndex + 8) == table.checksum else { return nil }
        var table = table
        let start = Self.headCount + table.readableBytes
        guard let first = table.readInteger(as: Int64.self), let discontinuities = table.readInteger(as: Int64.self),
            let indexByteCount = table.readInteger(as: Int64.self), let style = table.readText(),
            let recorded = table.readWords(),
            let story = table.readPlace(start), let count = table.readInteger(as: UInt32.self)
        else { return nil }
        (self.first, self.discontinuities) = (MediaSequenceNumber(first), Int(discontinuities))
        (self.indexByteCount, self.style, self.recorded, self.story) = (Int(indexByteCount), style, recorded, story)
        for _ in 0..<count {
            guard let place = table.readPlace(start), let section = place.section else { return nil }
            sections[section.id] = place
        }
    }
}

extension ByteBuffer {
    var checksum: UInt32 {
        var checksum = CRC32()
        checksum.update(readableBytesView)
        return checksum.value
    }

    mutating func write(text: String) {
        writeInteger(UInt32(text.utf8.count))
        writeString(text)
    }

    mutating func readText() -> String? {
        readInteger(as: UInt32.self).flatMap { readString(length: Int($0)) }
    }

    fileprivate mutating func readWords() -> [UInt64]? {
        let words = (0..<BlockNumber.length / 64).map { _ in readInteger(as: UInt64.self) }
        return words.contains(nil) ? nil : words.compactMap(\.self)
    }

    fileprivate mutating func write(_ place: SealedBlock.Place) {
        write(text: place.section?.id.name ?? "")
        write(text: place.section?.media.name ?? "")
        write(text: place.section?.kind.rawValue ?? "")
        write(text: place.section?.format.rawValue ?? "")
        writeInteger(Int64(place.range.lowerBound))
        writeInteger(Int64(place.range.count))
        writeInteger(place.checksum)
    }

    /// Reads a place of the table.
    ///
    /// - Parameter start: The place of the first byte behind the table.
    /// - Returns: The place; nil if there is none, or its numbers are beyond reason.
    fileprivate mutating func readPlace(_ start: Int) -> SealedBlock.Place? {
        guard let id = readText(), let media = readText(), let kind = readText(), let format = readText(),
            let begin = readInteger(as: Int64.self), let count = readInteger(as: Int64.self),
            let checksum = readInteger(as: UInt32.self), (0...1 << 40).contains(begin), (0...1 << 32).contains(count)
        else { return nil }
        var place = SealedBlock.Place(section: nil, range: start + Int(begin)..<start + Int(begin + count))
        place.checksum = checksum
        if let kind = MediaKind(rawValue: kind), let format = SegmentFormat(rawValue: format) {
            place.section = LineSection(id: RenditionID(id), media: RenditionID(media), kind: kind, format: format)
        }
        return place
    }
}
