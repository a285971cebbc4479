@testable import Codecs

/// AV1 written bit by bit: a stream of one shape, and OBUs to put around it.
enum SyntheticAV1 {
    /// A sequence header of profile 0, level 8 of the high tier, 4:2:0 of 8 bits, with order hints of 7 bits.
    ///
    /// - Parameters:
    ///   - width: Of a picture, up to 512; it is 64 high.
    ///   - hasColour: Whether it says that its colour is that of BT.2100 with PQ.
    ///   - fullRange: color_range.
    ///   - frameRate: Ticks a picture at 30000 a second; nil for none.
    /// - Returns: An OBU with a size field.
    static func sequenceHeader(
        width: Int = 64,
        hasColour: Bool = false,
        fullRange: Bool = false,
        frameRate: Int? = nil
    ) -> [UInt8] {
        var writer = BitWriter()
        writer.write(0, bits: 5)  // seq_profile, still_picture, reduced_still_picture_header
        writer.write(frameRate != nil)  // timing_info_present_flag
        if let frameRate {
            writer.write(1, bits: 32)  // num_units_in_display_tick
            writer.write(30_000, bits: 32)  // time_scale
            writer.write(true)  // equal_picture_interval
            let length = Int.bitWidth - frameRate.leadingZeroBitCount
            writer.write(0, bits: length - 1)  // num_ticks_per_picture_minus_1
            writer.write(frameRate, bits: length)
            writer.write(false)  // decoder_model_info_present_flag
        }
        writer.write(0, bits: 18)  // initial_display_delay, operating_points_cnt_minus_1, operating_point_idc
        writer.write(8, bits: 5)  // seq_level_idx
        writer.write(true)  // seq_tier
        writer.write(8, bits: 4)  // frame_width_bits_minus_1
        writer.write(5, bits: 4)  // frame_height_bits_minus_1
        writer.write(width - 1, bits: 9)
        writer.write(63, bits: 6)
        writer.write(0, bits: 8)  // from frame_id_numbers_present_flag to enable_dual_filter
        writer.write(0b1_00_1_1_110, bits: 8)  // enable_order_hint to order_hint_bits_minus_1
        writer.write(0, bits: 3)  // enable_superres, enable_cdef, enable_restoration
        writer.write(0, bits: 2)  // high_bitdepth, mono_chrome
        writer.write(hasColour)
        if hasColour { for value in [9, 16, 9] { writer.write(value, bits: 8) } }
        writer.write(fullRange)
        writer.write(hasColour ? 2 : 0, bits: 2)  // chroma_sample_position
        writer.write(0b00_1, bits: 3)  // separate_uv_delta_q, film_grain_params_present, trailing_one_bit
        return obu(1, writer.bytes)
    }

    /// A frame OBU of a key frame of one tile, whose header takes eight bytes.
    static func keyFrame(isShown: Bool = true, tile: [UInt8] = [0xAA, 0xBB, 0xCC]) -> [UInt8] {
        obu(6, keyFrameHeader(isShown: isShown).bytes + tile)
    }

    /// A frame OBU that is read like one of a key frame, but of type INTRA_ONLY_FRAME.
    static func intraOnlyFrame() -> [UInt8] {
        var writer = BitWriter()
        writer.write(0b0_10_1_1, bits: 5)  // show_existing_frame, frame_type, show_frame, error_resilient_mode
        writeRest(&writer, refreshedSlots: 1)
        return obu(6, writer.bytes + [0xDD])
    }

    /// A frame header OBU with show_existing_frame of a slot.
    static func shownExistingFrame(_ slot: Int) -> [UInt8] {
        obu(3, [UInt8(0x80 | slot << 4 | 8)])
    }

    private static func keyFrameHeader(isShown: Bool) -> BitWriter {
        var writer = BitWriter()
        writer.write(0b0_00, bits: 3)  // show_existing_frame, frame_type
        writer.write(isShown)
        if !isShown { writer.write(0b11, bits: 2) }  // showable_frame, error_resilient_mode
        writeRest(&writer, refreshedSlots: isShown ? nil : 0xFF)
        return writer
    }

    /// From disable_cdf_update to reduced_tx_set, of an intra frame that is error resilient.
    private static func writeRest(_ writer: inout BitWriter, refreshedSlots: Int?) {
        writer.write(0b1_0_0, bits: 3)  // disable_cdf_update, allow_screen_content_tools, frame_size_override_flag
        writer.write(0, bits: 7)  // order_hint
        if let refreshedSlots {
            writer.write(refreshedSlots, bits: 8)
            if refreshedSlots != 0xFF { writer.write(0, bits: 56) }  // ref_order_hint
        }
        writer.write(false)  // render_and_frame_size_different
        writer.write(true)  // uniform_tile_spacing_flag
        writer.write(100, bits: 8)  // base_q_idx
        writer.write(0, bits: 6)  // deltas, using_qmatrix, segmentation_enabled, delta_q_present
        writer.write(0, bits: 16)  // loop_filter_level, loop_filter_sharpness, loop_filter_delta_enabled
        writer.write(0, bits: 2)  // tx_mode_select, reduced_tx_set
        writer.alignToByte()
    }

    /// An OBU with a size field of one byte, or without.
    static func obu(_ type: UInt8, _ payload: [UInt8], hasSize: Bool = true) -> [UInt8] {
        hasSize ? [type << 3 | 2, UInt8(payload.count)] + payload : [type << 3] + payload
    }

    /// A metadata OBU.
    static func metadata(_ type: UInt8, _ hex: String) -> [UInt8] {
        obu(5, [type] + [UInt8](hex: hex) + [0x80])
    }

    /// `av1C` with OBUs.
    static func record(_ obus: [UInt8]) -> [UInt8] { [0x81, 0x08, 0x8C, 0] + obus }
}
