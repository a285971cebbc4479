import MediaCore
import NIOCore
import Playlists
import Presentation

/// The form in a block's file of lines.
extension RenditionLines {
    var encoded: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt16(entries.count))
        for entry in entries { bytes.write(entry) }
        bytes.write(texts: scopes)
        bytes.writeInteger(UInt16(version))
        bytes.writeInteger(headFormats == nil ? 0 : 1, as: UInt8.self)
        bytes.write(texts: headFormats ?? [])
        bytes.write(texts: tailFormats)
        bytes.write(buffer: text)
        bytes.writeInteger(gzip == nil ? 0 : 1, as: UInt8.self)
        if let gzip {
            bytes.writeInteger(gzip.checksum)
            bytes.write(buffer: gzip.blocks)
        }
        return bytes
    }

    /// Reads the lines of a playlist; nil if they are damaged.
    init?(_ bytes: ByteBuffer, of section: LineSection, in block: SealedBlock) {
        var bytes = bytes
        guard let count = bytes.readInteger(as: UInt16.self) else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let entry = bytes.readEntry(), entry.end >= entries.last?.end ?? 0 else { return nil }
            entries.append(entry)
        }
        guard let scopes = bytes.readTexts(), let version = bytes.readInteger(as: UInt16.self),
            let hasHead = bytes.readInteger(as: UInt8.self), let head = bytes.readTexts(), let tail = bytes.readTexts(),
            let text = bytes.readPiece(), let hasGzip = bytes.readInteger(as: UInt8.self)
        else { return nil }
        guard entries.allSatisfy({ $0.scope < scopes.count && $0.end <= text.readableBytes }) else { return nil }
        var gzip: GzipPart?
        if hasGzip == 1 {
            guard let checksum = bytes.readInteger(as: UInt32.self), let blocks = bytes.readPiece() else { return nil }
            gzip = GzipPart(blocks: blocks, checksum: checksum, count: text.readableBytes)
        }
        self.init(
            section: section,
            first: block.first,
            discontinuitiesBefore: block.discontinuities,
            entries: entries,
            scopes: scopes,
            text: text,
            version: Int(version),
            headFormats: hasHead == 1 ? head : nil,
            tailFormats: tail,
            gzip: gzip
        )
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ entry: RenditionLines.Entry) {
        writeInteger(UInt32(entry.end))
        writeInteger(UInt16(entry.scope))
        writeInteger(entry.flags.rawValue)
        writeInteger(entry.start.ticks)
        writeInteger(entry.duration.ticks)
        writeInteger(Int64(entry.offset))
        writeInteger(Int64(entry.byteCount))
        writeInteger(entry.tag.value)
    }

    fileprivate mutating func readEntry() -> RenditionLines.Entry? {
        guard let end = readInteger(as: UInt32.self), let scope = readInteger(as: UInt16.self),
            let flags = readInteger(as: UInt8.self), let start = readInteger(as: Int64.self),
            let duration = readInteger(as: Int64.self), let offset = readInteger(as: Int64.self),
            let byteCount = readInteger(as: Int64.self), let tag = readInteger(as: UInt64.self)
        else { return nil }
        // Sums of them fit.
        let isSensible = [start, duration, offset, byteCount].allSatisfy { (0...1 << 54).contains($0) }
        guard isSensible else { return nil }
        return RenditionLines.Entry(
            end: Int(end),
            scope: Int(scope),
            flags: RenditionLines.Flags(rawValue: flags),
            start: MediaTime(ticks: start),
            duration: MediaTime(ticks: duration),
            offset: Int(offset),
            byteCount: Int(byteCount),
            tag: ContentHash(value: tag)
        )
    }

    fileprivate mutating func write(texts: [String]) {
        writeInteger(UInt16(texts.count))
        for text in texts { write(text: text) }
    }

    fileprivate mutating func readTexts() -> [String]? {
        guard let count = readInteger(as: UInt16.self) else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = readText() else { return nil }
            texts.append(text)
        }
        return texts
    }

    fileprivate mutating func write(buffer: ByteBuffer) {
        writeInteger(UInt32(buffer.readableBytes))
        writeImmutableBuffer(buffer)
    }

    fileprivate mutating func readPiece() -> ByteBuffer? {
        readInteger(as: UInt32.self).flatMap { readSlice(length: Int($0)) }
    }
}
