/// A sequence parameter set (ISO/IEC 14496-10 § 7.3.2.1.1).
struct SequenceParameterSet: ParameterSet, Hashable {
    /// The NAL unit, header byte included, emulation prevention in place.
    var nalUnit: [UInt8]
    /// seq_parameter_set_id.
    var id: Int
    var profile: UInt8
    var compatibility: UInt8
    var level: UInt8
    /// chroma_format_idc.
    var chromaFormat = 1
    var hasSeparateColourPlanes = false
    var lumaBitDepth = 8
    var chromaBitDepth = 8
    /// Bits of frame_num.
    var frameNumberBits = 4
    var pictureOrderCount: PictureOrderCount
    var widthInMacroblocks: Int
    /// Pairs of macroblocks where fields are allowed.
    var heightInMapUnits: Int
    var isFramesOnly: Bool
    /// Size in pixels after cropping.
    var width: Int
    var height: Int
    var usability = VideoUsabilityInformation()

    /// pic_order_cnt_type, with the values that a slice header needs.
    enum PictureOrderCount: Hashable, Sendable {
        /// Type 0, with the bits of pic_order_cnt_lsb.
        case coded(bits: Int)
        /// Type 1.
        case deltas(areAlwaysZero: Bool)
        /// Type 2.
        case decodingOrder
    }

    /// ChromaArrayType.
    var chromaArrayType: Int { hasSeparateColourPlanes ? 0 : chromaFormat }

    /// - Parameter nalUnit: The NAL unit, header byte included.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range. A usability information that
    ///   cannot be read is taken as absent: pictures decode without it.
    init(_ nalUnit: RawSpan) throws(CodecError) {
        self.nalUnit = nalUnit.withUnsafeBytes { Array($0) }
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8)
        profile = UInt8(try reader.read(8))
        compatibility = UInt8(try reader.read(8))
        level = UInt8(try reader.read(8))
        id = try reader.readUnsignedGolomb(upTo: 31, "seq_parameter_set_id")
        if Self.profilesWithChromaFormat.contains(profile) {
            chromaFormat = try reader.readUnsignedGolomb(upTo: 3, "chroma_format_idc")
            if chromaFormat == 3 { hasSeparateColourPlanes = try reader.readFlag() }
            lumaBitDepth = try 8 + reader.readUnsignedGolomb(upTo: 6, "bit_depth_luma_minus8")
            chromaBitDepth = try 8 + reader.readUnsignedGolomb(upTo: 6, "bit_depth_chroma_minus8")
            try reader.skip(1)  // qpprime_y_zero_transform_bypass_flag
            if try reader.readFlag() { try Self.skipScalingMatrix(&reader, lists: chromaFormat == 3 ? 12 : 8) }
        }
        frameNumberBits = try 4 + reader.readUnsignedGolomb(upTo: 12, "log2_max_frame_num_minus4")
        pictureOrderCount = try Self.readPictureOrderCount(&reader)
        _ = try reader.readUnsignedGolomb()  // max_num_ref_frames
        try reader.skip(1)  // gaps_in_frame_num_value_allowed_flag
        widthInMacroblocks = try 1 + reader.readUnsignedGolomb(upTo: 4095, "pic_width_in_mbs_minus1")
        heightInMapUnits = try 1 + reader.readUnsignedGolomb(upTo: 4095, "pic_height_in_map_units_minus1")
        isFramesOnly = try reader.readFlag()
        if !isFramesOnly { try reader.skip(1) }  // mb_adaptive_frame_field_flag
        try reader.skip(1)  // direct_8x8_inference_flag

        let fields = isFramesOnly ? 1 : 2
        width = widthInMacroblocks * 16
        height = heightInMapUnits * 16 * fields
        if try reader.readFlag() {
            // § 7.4.2.1.1: cropping counts in chroma samples, and in pairs of lines where fields are allowed.
            let isSubsampled = hasSeparateColourPlanes ? 0 : chromaFormat
            let unitX = isSubsampled == 1 || isSubsampled == 2 ? 2 : 1
            let unitY = (isSubsampled == 1 ? 2 : 1) * fields
            width -= try unitX * Self.readCropping(&reader)
            height -= try unitY * Self.readCropping(&reader)
            guard width > 0, height > 0 else { throw .invalid("frame cropping") }
        }
        if try reader.readFlag() { usability = (try? VideoUsabilityInformation(&reader)) ?? usability }
    }

    /// § 7.3.2.1.1: the profiles whose parameter sets tell chroma format and bit depths.
    private static let profilesWithChromaFormat: Set<UInt8> = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]

    private static func readCropping(_ reader: inout BitReader) throws(CodecError) -> Int {
        let first = try reader.readUnsignedGolomb(upTo: 65_535, "frame cropping")
        return try first + reader.readUnsignedGolomb(upTo: 65_535, "frame cropping")
    }

    private static func readPictureOrderCount(_ reader: inout BitReader) throws(CodecError) -> PictureOrderCount {
        switch try reader.readUnsignedGolomb() {
        case 0:
            return .coded(bits: try 4 + reader.readUnsignedGolomb(upTo: 12, "log2_max_pic_order_cnt_lsb_minus4"))
        case 1:
            let areAlwaysZero = try reader.readFlag()
            _ = try reader.readSignedGolomb()  // offset_for_non_ref_pic
            _ = try reader.readSignedGolomb()  // offset_for_top_to_bottom_field
            let cycle = try reader.readUnsignedGolomb(upTo: 255, "num_ref_frames_in_pic_order_cnt_cycle")
            for _ in 0..<cycle { _ = try reader.readSignedGolomb() }
            return .deltas(areAlwaysZero: areAlwaysZero)
        case 2:
            return .decodingOrder
        default:
            throw .invalid("pic_order_cnt_type")
        }
    }

    /// Steps over seq_scaling_list_present_flag and scaling_list() (§ 7.3.2.1.1.1).
    private static func skipScalingMatrix(_ reader: inout BitReader, lists: Int) throws(CodecError) {
        for list in 0..<lists where try reader.readFlag() {
            var (last, next): (Int32, Int32) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) {
                if next != 0 { next = (last &+ (try reader.readSignedGolomb())) & 0xFF }
                if next != 0 { last = next }
            }
        }
    }
}
