import MediaCore

/// A video parameter set (ISO/IEC 23008-2 § 7.3.2.1).
struct HEVCVideoParameterSet: ParameterSet, Hashable {
    /// The NAL unit, header included, emulation prevention in place.
    var nalUnit: [UInt8]
    /// vps_video_parameter_set_id.
    var id: Int
    /// Pictures a second.
    var frameRate: Ratio?

    /// - Parameter nalUnit: The NAL unit, header included.
    /// - Throws: ``CodecError`` if not even its id can be read. Timing that cannot be read is taken as absent.
    init(_ nalUnit: RawSpan) throws(CodecError) {
        self.nalUnit = nalUnit.withUnsafeBytes { Array($0) }
        var reader = BitReader(nalUnit, hasEmulationPrevention: true)
        try reader.skip(8 * HEVCNALUnitType.headerSize)
        id = Int(try reader.read(4))
        frameRate = try? Self.readFrameRate(&reader)
    }

    /// Reads from vps_base_layer_internal_flag to vps_time_scale.
    private static func readFrameRate(_ reader: inout BitReader) throws(CodecError) -> Ratio? {
        try reader.skip(8)  // vps_base_layer_internal_flag, vps_base_layer_available_flag, vps_max_layers_minus1
        let subLayers = Int(try reader.read(3))
        try reader.skip(17)  // vps_temporal_id_nesting_flag, vps_reserved_0xffff_16bits
        _ = try HEVCConfiguration.ProfileTierLevel(&reader, subLayers: subLayers)
        try reader.skipSubLayerOrdering(subLayers: subLayers)
        let layers = try 1 + Int(reader.read(6))  // vps_max_layer_id
        let layerSets = try reader.readUnsignedGolomb(upTo: 1023, "vps_num_layer_sets_minus1")
        try reader.skip(layers * layerSets)  // layer_id_included_flag
        return try reader.readFlag() ? reader.readPictureRate() : nil
    }
}

extension BitReader {
    /// Steps over what decoded picture buffers need, from the flag for whether every sub-layer says so (§ 7.3.2.1).
    mutating func skipSubLayerOrdering(subLayers: Int) throws(CodecError) {
        let count = try readFlag() ? subLayers + 1 : 1
        for _ in 0..<count {
            _ = try readUnsignedGolomb()  // max_dec_pic_buffering_minus1
            _ = try readUnsignedGolomb()  // max_num_reorder_pics
            _ = try readUnsignedGolomb()  // max_latency_increase_plus1
        }
    }

    /// Reads num_units_in_tick to num_ticks_poc_diff_one_minus1: pictures a second, which are fields where those are
    /// coded each for itself (§ E.3.1).
    ///
    /// - Returns: Nil if the rate is not stated, or implausible: no flag promises it.
    mutating func readPictureRate() throws(CodecError) -> Ratio? {
        let (unitsInTick, timescale) = (Int(try read(32)), Int(try read(32)))
        if try readFlag() { _ = try readUnsignedGolomb() }  // num_ticks_poc_diff_one_minus1
        guard unitsInTick > 0, timescale > 0 else { return nil }
        return Ratio(lowestTerms: timescale, unitsInTick).plausibleFrameRate
    }
}
