import FoundationEssentials
import MediaCore
import NIOCore
import Playlists
import Presentation

/// The facts of a block that no playlist's lines have: declarations, date ranges, and the files that it needs.
struct BlockMetadata: Hashable, Sendable, Codable {
    private var head: BlockHead
    private var declarations: [DatedDeclaration]
    private var ranges: [DatedRanges]
    /// The paths of the initialization sections that its slots need.
    let initializations: [String]

    /// The date ranges of a slot.
    private struct DatedRanges: Hashable, Codable {
        var number: Int64
        var tags: [String]
    }

    init(_ contents: BlockContents) {
        (head, declarations) = (contents.head, contents.declarations)
        initializations = contents.initializations.sorted()
        ranges = contents.slots.values.sorted { $0.slot.number < $1.slot.number }.compactMap { stored in
            let tags = stored.slot.dateRanges.all.map(\.text)
            return tags.isEmpty ? nil : DatedRanges(number: stored.slot.number.value, tags: tags)
        }
    }

    init(reading json: ByteBuffer) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.readableBytesView))
    }

    /// - Throws: The error of `JSONEncoder`.
    func json() throws -> ByteBuffer { ByteBuffer(bytes: try JSONEncoder.canonical.encode(self)) }

    /// Returns the declaration in force at a slot; the first one, if it came later.
    func declaration(at number: MediaSequenceNumber) -> Declaration? { inForce(at: number)?.declaration }

    /// Returns the declarations in force at some slots, oldest first; the first one of the block, if it came later.
    func declarations(in numbers: Range<MediaSequenceNumber>) -> [Declaration] {
        guard let first = inForce(at: numbers.lowerBound) else { return [] }
        let later = declarations.filter { numbers.contains($0.number) && $0.number > first.number }
        return [first.declaration] + later.map(\.declaration)
    }

    private func inForce(at number: MediaSequenceNumber) -> DatedDeclaration? {
        declarations.last { $0.number <= number } ?? declarations.first
    }

    /// Returns the date ranges of some slots.
    func ranges(in numbers: Range<MediaSequenceNumber>) -> [DateRange] {
        ranges.filter { numbers.contains(MediaSequenceNumber($0.number)) }
            .flatMap { $0.tags.compactMap { DateRange(text: $0) } }
    }

    /// Returns the date ranges of earlier slots that are not over at a slot, which begins at a time.
    func ranges(openAt number: MediaSequenceNumber, _ time: MediaTime) -> [DateRange] {
        let own = ranges.filter { $0.number < number.value }.flatMap { $0.tags.compactMap { DateRange(text: $0) } }
        let later = ranges.filter { $0.number >= number.value }.flatMap { $0.tags.compactMap { DateRange(text: $0) } }
        return (head.carried + own).reaching(time, besides: later)
    }
}
