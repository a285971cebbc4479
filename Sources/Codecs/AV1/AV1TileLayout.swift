/// tile_info() (AV1 § 5.9.15), with the places of the tiles in a tile group.
struct AV1TileLayout: Hashable, Sendable {
    private(set) var columns = 1
    private(set) var rows = 1
    /// TileColsLog2 + TileRowsLog2: bits of tg_start and tg_end.
    private(set) var indexBits = 0
    /// TileSizeBytes.
    private(set) var sizeBytes = 0

    var count: Int { columns * rows }

    init() {}

    /// - Parameters:
    ///   - reader: A reader at uniform_tile_spacing_flag.
    ///   - width: FrameWidth, in pixels of the coded picture.
    ///   - height: FrameHeight.
    ///   - has128x128Superblocks: use_128x128_superblock.
    /// - Throws: ``CodecError`` if it is cut short, or has more tiles than are allowed.
    init(_ reader: inout BitReader, width: Int, height: Int, has128x128Superblocks: Bool) throws(CodecError) {
        let superblockBits = has128x128Superblocks ? 7 : 6
        let (widthInBlocks, heightInBlocks) = (Self.shift(width, superblockBits), Self.shift(height, superblockBits))
        let maxWidth = 4096 >> superblockBits
        let maxArea = (4096 * 2304) >> (2 * superblockBits)
        let minColumnBits = Self.log2(widthInBlocks, inUnitsOf: maxWidth)
        let minBits = max(minColumnBits, Self.log2(widthInBlocks * heightInBlocks, inUnitsOf: maxArea))
        var (columnBits, rowBits) = (0, 0)
        if try reader.readFlag() {  // uniform_tile_spacing_flag
            columnBits = try Self.readIncrements(&reader, minColumnBits, upTo: Self.log2(min(widthInBlocks, 64)))
            columns = Self.count(of: Self.shift(widthInBlocks, columnBits), in: widthInBlocks)
            rowBits = try Self.readIncrements(
                &reader,
                max(minBits - columnBits, 0),
                upTo: Self.log2(min(heightInBlocks, 64))
            )
            rows = Self.count(of: Self.shift(heightInBlocks, rowBits), in: heightInBlocks)
        } else {
            let widths = try Self.readSizes(&reader, of: widthInBlocks, upTo: maxWidth)
            let area = (widthInBlocks * heightInBlocks) >> (minBits > 0 ? minBits + 1 : 0)
            let heights = try Self.readSizes(&reader, of: heightInBlocks, upTo: max(area / (widths.max() ?? 1), 1))
            (columns, rows) = (widths.count, heights.count)
            (columnBits, rowBits) = (Self.log2(columns), Self.log2(rows))
        }
        // § 6.8.14: MAX_TILE_COLS and MAX_TILE_ROWS are 64.
        guard columns <= 64, rows <= 64 else { throw .invalid("count of tiles") }
        indexBits = columnBits + rowBits
        if indexBits > 0 {
            try reader.skip(indexBits)  // context_update_tile_id
            sizeBytes = try 1 + Int(reader.read(2))
        }
    }

    /// Finds the tiles of tile_group_obu() (§ 5.11.1).
    ///
    /// - Parameters:
    ///   - bytes: The bytes behind the headers in a frame or tile group OBU.
    ///   - first: The tile that is to come next.
    /// - Returns: The place of each tile's decode_tile() in `bytes`, in order.
    /// - Throws: ``CodecError`` if a tile reaches beyond the end, or others come than are to come.
    func tiles(in bytes: RawSpan, from first: Int) throws(CodecError) -> [Range<Int>] {
        var reader = BitReader(bytes)
        var last = count - 1
        // tile_start_and_end_present_flag
        if count > 1, try reader.readFlag() {
            guard try Int(reader.read(indexBits)) == first else { throw .invalid("tg_start") }
            last = Int(try reader.read(indexBits))
        } else if first > 0 {
            throw .invalid("tg_start")
        }
        guard first...max(first, count - 1) ~= last else { throw .invalid("tg_end") }
        var start = reader.byteOffset
        var tiles: [Range<Int>] = []
        for _ in first..<last {
            guard bytes.byteCount - start >= sizeBytes else { throw .truncated }
            var size = 1
            for index in 0..<sizeBytes {
                size += Int(bytes.unsafeLoad(fromByteOffset: start + index, as: UInt8.self)) << (8 * index)
            }
            start += sizeBytes
            guard bytes.byteCount - start >= size else { throw .truncated }
            tiles.append(start..<start + size)
            start += size
        }
        guard start < bytes.byteCount else { throw .truncated }
        tiles.append(start..<bytes.byteCount)
        return tiles
    }

    /// increment_tile_cols_log2 or increment_tile_rows_log2.
    private static func readIncrements(
        _ reader: inout BitReader,
        _ minimum: Int,
        upTo maximum: Int
    ) throws(CodecError) -> Int {
        var value = minimum
        while value < maximum, try reader.readFlag() { value += 1 }
        return value
    }

    /// width_in_sbs_minus_1 or height_in_sbs_minus_1 of each column or row.
    private static func readSizes(
        _ reader: inout BitReader,
        of total: Int,
        upTo maximum: Int
    ) throws(CodecError) -> [Int] {
        var sizes: [Int] = []
        var left = total
        while left > 0 {
            let size = try 1 + reader.readNonSymmetric(below: min(left, maximum))
            sizes.append(size)
            left -= size
        }
        return sizes
    }

    /// The number of times that it takes 2^bits to hold a value.
    private static func shift(_ value: Int, _ bits: Int) -> Int { (value + (1 << bits) - 1) >> bits }

    /// The number of parts of a size that it takes.
    private static func count(of size: Int, in total: Int) -> Int { (total + size - 1) / size }

    /// tile_log2() (§ 5.9.16): the smallest k for which `unit << k` is not below `target`.
    private static func log2(_ target: Int, inUnitsOf unit: Int = 1) -> Int {
        var result = 0
        while unit << result < target { result += 1 }
        return result
    }
}
