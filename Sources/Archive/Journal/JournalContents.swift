import Files
import FoundationEssentials
package import NIOCore
package import Presentation

/// The contents of a journal's file: its header with every later change, up to the end or to damage.
package struct JournalContents: Sendable {
    package var generation: Int
    package var configuration: [String: String]
    package var window: SavedWindow
    /// The published parts of its newest slots, and of the slots after it.
    package var parts: SavedParts
    /// Bytes of the lines that were read.
    package private(set) var byteCount = 0

    /// The reason why nothing can be taken from a file.
    package enum Defect: Error, Hashable, Sendable {
        /// A file without a single write.
        case empty
        /// A journal that does not begin with a whole header.
        case damaged
        /// Another program wrote it.
        case version(Int, generation: Int)
    }

    /// - Throws: ``Defect``.
    package init(reading text: ByteBuffer) throws(Defect) {
        var lines = CheckedLines(text)
        guard let json = lines.next().map({ Data($0) }) else {
            throw text.readableBytesView.first.map { $0 == 0 } ?? true ? .empty : .damaged
        }
        guard let format = try? JSONDecoder().decode(Format.self, from: json),
            (0...1 << 60).contains(format.generation)
        else { throw .damaged }
        if !JournalHeader.readableVersions.contains(format.version) {
            throw .version(format.version, generation: format.generation)
        }
        guard let header = try? JSONDecoder().decode(JournalHeader.self, from: json) else { throw .damaged }
        generation = header.generation
        configuration = header.configuration
        window = header.window
        parts = header.parts ?? SavedParts()
        byteCount = lines.byteCount
        while let json = lines.next().map({ Data($0) }),
            let record = try? JSONDecoder().decode(JournalRecord.self, from: json),
            apply(record)
        {
            byteCount = lines.byteCount
        }
    }

    /// - Returns: False if the record does not follow the one before; then nothing has changed.
    private mutating func apply(_ record: JournalRecord) -> Bool {
        switch record {
        case .part(let part): return parts.append(part)
        case .slot(let change):
            guard (try? window.apply(change)) != nil else { return false }
            if let number = window.lastNumber { parts.end(through: number) }
            return true
        }
    }

    /// The part of the header that every version has.
    private struct Format: Decodable {
        var version: Int
        var generation: Int
    }
}
