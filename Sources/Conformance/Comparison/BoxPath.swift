import NIOCore

/// Names the boxes around a byte of an fMP4 segment or initialization section.
enum BoxPath {
    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "edts", "dinf", "sinf", "schi",
    ]

    /// The types from the outermost box to the innermost whose layout is known; nil if no box holds the offset.
    static func path(to offset: Int, in buffer: ByteBuffer) -> String? {
        let names = names(to: offset, in: buffer, from: 0, to: buffer.readableBytes)
        return names.isEmpty ? nil : names.joined(separator: "/")
    }

    private static func names(to offset: Int, in buffer: ByteBuffer, from start: Int, to end: Int) -> [String] {
        var position = start
        while position + 8 <= end {
            let index = buffer.readerIndex + position
            guard let size = buffer.getInteger(at: index, as: UInt32.self).map(Int.init),
                let type = buffer.getString(at: index + 4, length: 4),
                size >= 8, size <= end - position, type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
            else { return [] }
            if offset < position + size {
                guard containers.contains(type), offset >= position + 8 else { return [type] }
                return [type] + names(to: offset, in: buffer, from: position + 8, to: position + size)
            }
            position += size
        }
        return []
    }
}
