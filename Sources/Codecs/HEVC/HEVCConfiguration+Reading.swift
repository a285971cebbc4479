import MediaCore

extension HEVCConfiguration.ProfileTierLevel {
    /// Reads profile_tier_level() with its general profile (ISO/IEC 23008-2 § 7.3.3).
    ///
    /// - Parameters:
    ///   - reader: A reader at general_profile_space.
    ///   - subLayers: sps_max_sub_layers_minus1, or vps_max_sub_layers_minus1.
    /// - Throws: ``CodecError/truncated``.
    init(_ reader: inout BitReader, subLayers: Int) throws(CodecError) {
        let profileSpace = UInt8(try reader.read(2))
        let isHighTier = try reader.readFlag()
        let profile = UInt8(try reader.read(5))
        let compatibilityFlags = try reader.read(32)
        let constraintFlags = UInt64(try reader.read(16)) << 32 | UInt64(try reader.read(32))
        let level = UInt8(try reader.read(8))
        self.init(
            profileSpace: profileSpace,
            isHighTier: isHighTier,
            profile: profile,
            compatibilityFlags: compatibilityFlags,
            constraintFlags: constraintFlags,
            level: level
        )
        guard subLayers > 0 else { return }
        var bits = 0
        for _ in 0..<subLayers {
            if try reader.readFlag() { bits += 88 }  // sub_layer_profile_space to sub_layer_inbld_flag
            if try reader.readFlag() { bits += 8 }  // sub_layer_level_idc
        }
        try reader.skip(2 * (8 - subLayers) + bits)  // reserved_zero_2bits ahead of them
    }
}
