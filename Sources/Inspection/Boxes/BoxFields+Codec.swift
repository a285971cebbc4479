import MediaCore

extension BoxFields {
    /// Reads the configuration of a video codec (ISO/IEC 14496-15 § 8.3.2.1; AV1 Codec ISO Media File Format Binding
    /// § 2.3.3).
    mutating func readVideoConfiguration(_ type: FourCC) throws(MalformedBoxError) {
        guard type == "hvcC" else {
            try readBits(("marker", 1), ("version", 7), ("seq_profile", 3), ("seq_level_idx_0", 5))
            try readBits(
                ("seq_tier_0", 1),
                ("high_bitdepth", 1),
                ("twelve_bit", 1),
                ("monochrome", 1),
                ("chroma_subsampling_x", 1),
                ("chroma_subsampling_y", 1),
                ("chroma_sample_position", 2)
            )
            try readHex("presentation_delay", 1)
            return try readRest("configOBUs")
        }
        try readInteger("configurationVersion", UInt8.self)
        try readBits(("profile_space", 2), ("tier_flag", 1), ("profile_idc", 5))
        try readHex("profile_compatibility_flags", 4)
        try readHex("constraint_indicator_flags", 6)
        try readInteger("level_idc", UInt8.self)
        try readBits(("reserved", 4), ("min_spatial_segmentation_idc", 12))
        try readBits(("reserved", 6), ("parallelismType", 2), ("reserved", 6), ("chroma_format_idc", 2))
        try readBits(("reserved", 5), ("bit_depth_luma_minus8", 3), ("reserved", 5), ("bit_depth_chroma_minus8", 3))
        try readInteger("avgFrameRate", UInt16.self)
        try readBits(
            ("constantFrameRate", 2),
            ("numTemporalLayers", 3),
            ("temporalIdNested", 1),
            ("lengthSizeMinusOne", 2)
        )
        for _ in 0..<(try cursor.read(UInt8.self)) {
            let array = try cursor.read(UInt8.self)
            for _ in 0..<(try cursor.read(UInt16.self)) {
                rows.append([
                    ("array_completeness", "\(array >> 7)"), ("NAL_unit_type", "\(array & 0x3F)"),
                    ("nalUnit", try cursor.readBytes(Int(try cursor.read(UInt16.self))).hex),
                ])
            }
        }
    }

    /// Reads the configuration of an audio codec.
    mutating func readAudioConfiguration(_ type: FourCC) throws(MalformedBoxError) {
        switch type {
        case "dac3":
            try readBits(
                ("fscod", 2),
                ("bsid", 5),
                ("bsmod", 3),
                ("acmod", 3),
                ("lfeon", 1),
                ("bit_rate_code", 5),
                ("reserved", 5)
            )
        case "dec3": try readEnhancedAC3()
        case "dOps":
            // Encapsulation of Opus in ISO Base Media File Format § 4.3.2.
            try readInteger("Version", UInt8.self)
            try readInteger("OutputChannelCount", UInt8.self)
            try readInteger("PreSkip", UInt16.self)
            try readInteger("InputSampleRate", UInt32.self)
            try readInteger("OutputGain", Int16.self)
            guard try readInteger("ChannelMappingFamily", UInt8.self) != 0 else { return }
            try readInteger("StreamCount", UInt8.self)
            try readInteger("CoupledCount", UInt8.self)
            try readRest("ChannelMapping")
        case "dfLa":
            // Encapsulation of FLAC in ISO Base Media File Format § 3.3.2.
            try readVersionAndFlags()
            while cursor.remaining > 0 {
                let header = try cursor.read(UInt32.self)
                rows.append([
                    ("LastMetadataBlockFlag", "\(header >> 31)"), ("BlockType", "\(header >> 24 & 0x7F)"),
                    ("BlockData", try cursor.readBytes(Int(header & 0xFF_FFFF)).hex),
                ])
            }
        default: try readAppleLossless()
        }
    }

    /// Reads `dec3` (ETSI TS 102 366 § F.6).
    private mutating func readEnhancedAC3() throws(MalformedBoxError) {
        let substreams = try readBits(("data_rate", 13), ("num_ind_sub", 3))[1] + 1
        for _ in 0..<substreams {
            var fields = BoxFields(cursor)
            let dependent = try fields.readBits(
                ("fscod", 2),
                ("bsid", 5),
                ("reserved", 1),
                ("asvc", 1),
                ("bsmod", 3),
                ("acmod", 3),
                ("lfeon", 1),
                ("reserved", 3),
                ("num_dep_sub", 4),
                ("chan_loc_0", 1)
            )[8]
            if dependent > 0 { try fields.readHex("chan_loc_1_8", 1) }
            rows.append(fields.values)
            cursor = fields.cursor
        }
        guard cursor.remaining >= 2 else { return }
        try readBits(("reserved", 7), ("flag_ec3_extension_type_a", 1), ("complexity_index_type_a", 8))
    }

    /// Reads ALACSpecificConfig; a channel layout is shown whole.
    private mutating func readAppleLossless() throws(MalformedBoxError) {
        try readVersionAndFlags()
        try readInteger("frameLength", UInt32.self)
        try readInteger("compatibleVersion", UInt8.self)
        try readInteger("bitDepth", UInt8.self)
        try readHex("tuning", 3)
        try readInteger("numChannels", UInt8.self)
        try readInteger("maxRun", UInt16.self)
        try readInteger("maxFrameBytes", UInt32.self)
        try readInteger("avgBitRate", UInt32.self)
        try readInteger("sampleRate", UInt32.self)
    }

    /// Reads the boxes for displays of high dynamic range.
    mutating func readDynamicRange(_ type: FourCC) throws(MalformedBoxError) {
        switch type {
        case "mdcv":
            for name in ["green", "blue", "red", "white_point"] {
                try readInteger("\(name)_x", UInt16.self)
                try readInteger("\(name)_y", UInt16.self)
            }
            try readInteger("max_display_mastering_luminance", UInt32.self)
            try readInteger("min_display_mastering_luminance", UInt32.self)
        case "clli":
            try readInteger("max_content_light_level", UInt16.self)
            try readInteger("max_pic_average_light_level", UInt16.self)
        default:
            try readInteger("dv_version_major", UInt8.self)
            try readInteger("dv_version_minor", UInt8.self)
            try readBits(
                ("dv_profile", 7),
                ("dv_level", 6),
                ("rpu_present_flag", 1),
                ("el_present_flag", 1),
                ("bl_present_flag", 1)
            )
            try readBits(("dv_bl_signal_compatibility_id", 4), ("reserved", 28))
            try readHex("reserved", 16)
        }
    }
}
