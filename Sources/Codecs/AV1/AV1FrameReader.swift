/// Finds the tiles in the OBUs of a temporal unit, one OBU after another.
struct AV1FrameReader {
    /// The frame whose tiles are to come.
    private var layout = AV1TileLayout()
    /// The tile of it that is to come next; nil behind the last one.
    private var next: Int?

    /// Reads the frames of an OBU.
    ///
    /// - Parameters:
    ///   - obu: An OBU of any type.
    ///   - sequence: The sequence header that stands.
    ///   - references: The frames before it; a frame that begins here is added.
    /// - Returns: The places of the tiles in its payload: the rest of it stays clear.
    /// - Throws: ``CodecError`` if it cannot be read.
    mutating func tiles(
        in obu: borrowing OBU,
        sequence: AV1SequenceHeader?,
        references: inout AV1ReferenceFrames
    ) throws(CodecError) -> [Range<Int>] {
        var start = 0
        switch obu.type {
        case .frameHeader, .frame:
            guard let sequence else { throw .invalid("frame without a sequence header") }
            guard next == nil else { throw .invalid("frame without all of its tiles") }
            let header = try AV1FrameHeader(obu, sequence: sequence, references: &references)
            guard !header.showsExistingFrame else {
                // § 6.9: a frame OBU is of a frame that is coded.
                guard obu.type == .frameHeader else { throw .invalid("show_existing_frame") }
                return []
            }
            (layout, next) = (header.tiles, 0)
            if obu.type == .frameHeader { return [] }
            start = (header.bitCount + 7) / 8
        case .tileGroup:
            break
        default:
            return []
        }
        guard let first = next else { throw .invalid("tiles without a frame header") }
        let tiles = try layout.tiles(in: obu.payload.extracting(droppingFirst: start), from: first)
        next = first + tiles.count < layout.count ? first + tiles.count : nil
        return tiles.map { $0.lowerBound + start..<$0.upperBound + start }
    }
}

extension SubsampleMap {
    /// Lays out a payload of `byteCount` bytes in which only tiles are protected (AV1 Codec ISO Media File Format
    /// Binding § 4.1).
    mutating func append(_ tiles: [Range<Int>], of byteCount: Int) {
        var position = 0
        for tile in tiles {
            append(clear: tile.lowerBound - position)
            append(protected: tile.count)
            position = tile.upperBound
        }
        append(clear: byteCount - position)
    }
}
