/// A slice segment header, read for its length: the bytes after it are encrypted (ISO/IEC 23001-7 § 9.5).
///
/// Its length is written nowhere, so the whole of slice_segment_header() (ISO/IEC 23008-2 § 7.3.6.1) is walked through,
/// byte_alignment() at its end included.
struct HEVCSliceHeader: Hashable, Sendable {
    /// first_slice_segment_in_pic_flag.
    var isFirstInPicture: Bool
    var pictureParameterSetID: Int
    /// slice_type; nil in a dependent slice segment, which has the type of the slice segment before it.
    var sliceType: SliceType?
    /// Bits of the header ahead of byte_alignment(), without the NAL unit's header and without emulation prevention
    /// bytes.
    var bitCount: Int
    /// Bytes of the NAL unit from its header to the last one of the slice segment header, emulation prevention bytes
    /// included.
    var byteCount: Int

    /// slice_type (ISO/IEC 23008-2 Table 7-7).
    enum SliceType: UInt8, Sendable {
        case b, p, i
    }

    /// Reads only up to the picture parameter set's id.
    ///
    /// - Parameter nalUnit: A slice segment, header included.
    /// - Returns: The slice_pic_parameter_set_id.
    /// - Throws: ``CodecError`` if the header is cut short or has a forbidden value.
    static func pictureParameterSetID(of nalUnit: RawSpan) throws(CodecError) -> Int {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        return try readStart(&reader).pictureParameterSetID
    }

    /// Reads the header of a slice segment.
    ///
    /// - Parameters:
    ///   - nalUnit: A slice segment of the base layer, header included.
    ///   - parameterSets: Those that stand when the slice segment comes.
    /// - Throws: ``CodecError`` if the header is cut short, has a forbidden value or names parameter sets that are
    ///   not there.
    init(_ nalUnit: RawSpan, parameterSets: HEVCParameterSets) throws(CodecError) {
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        let type: HEVCNALUnitType
        (type, isFirstInPicture, pictureParameterSetID) = try Self.readStart(&reader)
        let (sequence, picture) = try parameterSets.named(byPictureParameterSet: pictureParameterSetID)
        var isDependent = false
        if !isFirstInPicture {
            if picture.hasDependentSliceSegments { isDependent = try reader.readFlag() }
            try reader.skip((sequence.codingTreeBlocks - 1).bitsToCount)  // slice_segment_address
        }
        if !isDependent {
            var syntax = Syntax(isIDR: type.isIDR, sequence: sequence, parameters: picture)
            sliceType = try syntax.read(&reader)
        }
        if picture.hasEntryPoints { try Self.skipEntryPoints(&reader) }
        if picture.hasSliceHeaderExtension {
            let length = try reader.readUnsignedGolomb(upTo: 256, "slice_segment_header_extension_length")
            try reader.skip(8 * length)
        }
        bitCount = reader.bitPosition - 8 * HEVCNALUnitType.headerSize
        // byte_alignment() (§ 7.3.2.12) is a one, and zeros to the end of its byte.
        guard try reader.readFlag() else { throw .invalid("alignment_bit_equal_to_one") }
        byteCount = reader.byteOffset
    }

    private static func readStart(
        _ reader: inout BitReader
    ) throws(CodecError) -> (type: HEVCNALUnitType, isFirstInPicture: Bool, pictureParameterSetID: Int) {
        let type = HEVCNALUnitType(header: UInt8(try reader.read(8)))
        try reader.skip(8)
        let isFirstInPicture = try reader.readFlag()
        if type.isRandomAccessPoint { try reader.skip(1) }  // no_output_of_prior_pics_flag
        let id = try reader.readUnsignedGolomb(upTo: 63, "slice_pic_parameter_set_id")
        return (type, isFirstInPicture, id)
    }

    /// Steps over where tiles, or rows of coding tree blocks, begin in the data.
    private static func skipEntryPoints(_ reader: inout BitReader) throws(CodecError) {
        // § 7.4.7.1: there are at most as many as tiles and rows, 20 × 22 of 16,888 samples in the highest level.
        let count = try reader.readUnsignedGolomb(upTo: 65_535, "num_entry_point_offsets")
        guard count > 0 else { return }
        let bits = try 1 + reader.readUnsignedGolomb(upTo: 31, "offset_len_minus1")
        try reader.skip(count * bits)
    }
}
