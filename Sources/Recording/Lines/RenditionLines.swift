import MediaCore
import NIOCore
import Playlists
import Presentation

/// The lines of one playlist in a block, with everything that is needed to begin or end within them, and to find the
/// media.
struct RenditionLines: Sendable {
    let section: LineSection
    /// The slot of the first entry.
    let first: MediaSequenceNumber
    /// The number of discontinuities in the blocks before.
    let discontinuitiesBefore: Int
    /// An entry for each slot.
    let entries: [Entry]
    /// The EXT-X-KEY and EXT-X-MAP lines for playlists that begin within these; entries name them by index.
    let scopes: [String]
    let text: ByteBuffer
    let version: Int
    /// The KEYFORMATs that the first segment with keys or map, or in the clear, has in force; nil if there are only
    /// gaps that change nothing.
    let headFormats: [String]?
    /// The KEYFORMATs in force below the last line.
    let tailFormats: [String]
    /// The compressed text; nil if the block is not over.
    let gzip: GzipPart?

    /// The line of one slot.
    struct Entry: Hashable, Sendable {
        /// The end of its lines in the text.
        var end: Int
        /// The index of the lines that must stand above it if a playlist begins with it.
        var scope: Int
        var flags: Flags
        /// The start of the segment, in UTC.
        var start: MediaTime
        var duration: MediaTime
        /// The place of the segment in its file; 0 in a gap.
        var offset = 0
        var byteCount = 0
        /// The value of its entity tag.
        var tag = ContentHash(value: 0)
    }

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let gap = Flags(rawValue: 1 << 0)
        static let discontinuity = Flags(rawValue: 1 << 1)
        /// The slot was recorded.
        static let recorded = Flags(rawValue: 1 << 2)
        /// The slot has the rendition.
        static let listed = Flags(rawValue: 1 << 3)
    }

    var numbers: Range<MediaSequenceNumber> { first..<first.advanced(by: Int64(entries.count)) }

    subscript(number: MediaSequenceNumber) -> Entry? {
        numbers.contains(number) ? entries[Int(number.value - first.value)] : nil
    }

    /// Returns the lines for the slots of a range; nil if it has none.
    func lines(in range: Range<MediaSequenceNumber>) -> RecordedLines? {
        let range = range.clamped(to: numbers)
        if range.isEmpty { return nil }
        let bounds = Int(range.lowerBound.value - first.value)..<Int(range.upperBound.value - first.value)
        let members = entries[bounds]
        let begin = bounds.lowerBound == 0 ? 0 : entries[bounds.lowerBound - 1].end
        let end = members.last?.end ?? begin
        let discontinuities = { (entries: ArraySlice<Entry>) in entries.count { $0.flags.contains(.discontinuity) } }
        return RecordedLines(
            numbers: range,
            scope: scopes[members.first?.scope ?? 0],
            text: text.getSlice(at: text.readerIndex + begin, length: end - begin) ?? ByteBuffer(),
            gzip: range == numbers ? gzip : nil,
            discontinuitiesBefore: discontinuitiesBefore + discontinuities(entries[..<bounds.lowerBound]),
            discontinuities: discontinuities(members),
            duration: members.reduce(.zero) { $0 + $1.duration },
            longest: members.map(\.duration).max() ?? .zero,
            version: version,
            isGap: members.allSatisfy { $0.flags.contains(.gap) },
            programDateTime: members.first?.start ?? .zero
        )
    }

    /// The bytes in memory.
    var byteCount: Int {
        text.readableBytes + entries.count * MemoryLayout<Entry>.stride + scopes.reduce(0) { $0 + $1.utf8.count }
            + (gzip?.blocks.readableBytes ?? 0)
    }
}
