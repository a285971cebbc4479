import Files
import FoundationEssentials
import MediaCore
import NIOCore
import Playlists
import Presentation

/// The contents of a block's index.
struct BlockContents: Sendable {
    let number: BlockNumber
    private(set) var head: BlockHead
    /// The declarations, in the order of their numbers.
    private(set) var declarations: [DatedDeclaration] = []
    /// The slots that were recorded.
    private(set) var slots: [MediaSequenceNumber: StoredSlot] = [:]
    /// The slot of the newest line, which the next one is written after.
    private(set) var newest: ListedSlot?
    /// The newest slot.
    private(set) var last: MediaSequenceNumber?
    /// The bytes of each rendition's file.
    private(set) var ends: [RenditionID: Int] = [:]
    /// The paths of the initialization sections that its slots need.
    private(set) var initializations: Set<String> = []

    init(_ number: BlockNumber, head: BlockHead) {
        (self.number, self.head) = (number, head)
        if let declaration = head.declaration {
            declare(DatedDeclaration(number: head.first, declaration: declaration))
        }
    }

    /// Reads an index, up to where it was torn or ends; nil if there is no head.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - number: The number of its block.
    ///   - lines: The lines that were read.
    init?(reading file: ByteBuffer, of number: BlockNumber, lines: inout CheckedLines) {
        lines = CheckedLines(file)
        guard case .head(let head) = lines.nextRecord(), number.numbers.contains(head.first) else { return nil }
        self.init(number, head: head)
        var read = lines
        while let record = read.nextRecord(), apply(record) { lines = read }
    }

    /// Takes the next line of the index.
    ///
    /// - Returns: False if it does not follow the one before; then nothing has changed.
    mutating func apply(_ record: IndexRecord) -> Bool {
        switch record {
        case .head: return false
        case .slot(let record, let offsets):
            guard let slot = try? record.slot(after: newest), number.numbers.contains(slot.number),
                slot.number >= head.first
            else { return false }
            let isWhole = slot.segments.allSatisfy { id, segment in segment.line.isGap || offsets[id] != nil }
            guard isWhole else { return false }
            put(StoredSlot(slot: slot, offsets: offsets))
        case .declaration(let declaration): declare(declaration)
        case .lost(let numbers):
            for number in numbers { slots[number] = nil }
            last = slots.keys.max()
        case .discontinuities(let count): head.discontinuities += count
        }
        return true
    }

    /// Returns the lines of an index with these contents; the last of them is what the next line is written after.
    mutating func takeRecords() -> [IndexRecord] {
        newest = nil
        var records = [IndexRecord.head(head)] + declarations.map(IndexRecord.declaration)
        for stored in slots.values.sorted(by: { $0.slot.number < $1.slot.number }) {
            records.append(.slot(SlotRecord(stored.slot, after: newest), offsets: stored.offsets))
            newest = stored.slot
        }
        return records
    }

    private mutating func put(_ stored: StoredSlot) {
        slots[stored.slot.number] = stored
        newest = stored.slot
        last = max(last ?? stored.slot.number, stored.slot.number)
        initializations.formUnion(stored.maps)
        ends.merge(stored.ends, uniquingKeysWith: max)
    }

    private mutating func declare(_ declaration: DatedDeclaration) {
        let index = declarations.firstIndex { $0.number >= declaration.number } ?? declarations.endIndex
        if index < declarations.endIndex, declarations[index].number == declaration.number {
            declarations[index] = declaration
        } else {
            declarations.insert(declaration, at: index)
        }
    }

    /// The number of discontinuities since the recording began, at the end of the block.
    var discontinuitiesAfter: Int { head.discontinuities + slots.values.count { $0.slot.startsDiscontinuity } }

    /// The date ranges of the block and those before that are not over at a time.
    func ranges(reaching time: MediaTime) -> [DateRange] {
        let own = slots.keys.sorted().flatMap { slots[$0]?.slot.dateRanges.all ?? [] }
        // The limit keeps ranges that never end from being carried for weeks.
        return Array((head.carried + own).reaching(time).suffix(Self.mostCarried))
    }

    /// The most date ranges that a block takes over from those before.
    private static let mostCarried = 256
}

extension CheckedLines {
    /// Returns the record of the next line; nil if there is none.
    mutating func nextRecord() -> IndexRecord? {
        next().flatMap { try? JSONDecoder().decode(IndexRecord.self, from: Data($0)) }
    }
}
