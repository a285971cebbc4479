import TestSupport

@testable import Codecs

/// A stream of frame headers that say anything: what others depend on is chosen, the rest are drawn bits.
struct RandomAV1 {
    /// A sequence header OBU.
    private(set) var sequenceHeader: [UInt8] = []
    private var orderHintBits = 0
    private var selectsScreenContentTools = true
    private var selectsIntegerMotionVectors = true
    private var forcesScreenContentTools = false
    private var frameIDBits = 0
    /// The order hints of the frames in the eight slots.
    private var orderHints = [Int](repeating: 0, count: 8)

    init(using generator: inout SeededGenerator) {
        var writer = BitWriter()
        func draw(_ generator: inout SeededGenerator) -> Bool {
            let flag = Bool.random(using: &generator)
            writer.write(flag)
            return flag
        }
        let profile = Int.random(in: 0...2, using: &generator)
        writer.write(profile, bits: 3)
        writer.write(0, bits: 2)  // still_picture, reduced_still_picture_header
        writer.write(0, bits: 2 + 5 + 12 + 5)  // from timing_info_present_flag to seq_level_idx
        writer.write(8, bits: 4)  // frame_width_bits_minus_1
        writer.write(8, bits: 4)  // frame_height_bits_minus_1
        writer.write(Int.random(in: 15..<512, using: &generator), bits: 9)
        writer.write(Int.random(in: 15..<512, using: &generator), bits: 9)
        if draw(&generator) {  // frame_id_numbers_present_flag
            writer.write(3, bits: 4)  // delta_frame_id_length_minus_2
            writer.write(1, bits: 3)  // additional_frame_id_length_minus_1
            frameIDBits = 7
        }
        for _ in 0..<7 { _ = draw(&generator) }  // from use_128x128_superblock to enable_dual_filter
        let hasOrderHint = Int.random(in: 0..<4, using: &generator) > 0
        writer.write(hasOrderHint)
        if hasOrderHint { for _ in 0..<2 { _ = draw(&generator) } }  // enable_jnt_comp, enable_ref_frame_mvs
        selectsScreenContentTools = draw(&generator)
        if !selectsScreenContentTools { forcesScreenContentTools = draw(&generator) }
        if selectsScreenContentTools || forcesScreenContentTools {
            selectsIntegerMotionVectors = draw(&generator)
            if !selectsIntegerMotionVectors { _ = draw(&generator) }
        }
        if hasOrderHint {
            orderHintBits = Int.random(in: 3...8, using: &generator)
            writer.write(orderHintBits - 1, bits: 3)
        }
        for _ in 0..<3 { _ = draw(&generator) }  // enable_superres, enable_cdef, enable_restoration
        let isHighDepth = draw(&generator)
        let isTwelveBits = profile == 2 && isHighDepth ? draw(&generator) : false
        let isMonochrome = profile == 1 ? false : draw(&generator)
        writer.write(false)  // color_description_present_flag
        _ = draw(&generator)  // color_range
        if !isMonochrome {
            var isSubsampled = profile == 0
            if isTwelveBits, draw(&generator) { isSubsampled = draw(&generator) }
            if isSubsampled { writer.write(1, bits: 2) }  // chroma_sample_position
            _ = draw(&generator)  // separate_uv_delta_q
        }
        writer.write(Int.random(in: 0..<4, using: &generator) == 0)  // film_grain_params_present
        writer.write(true)  // trailing_one_bit
        sequenceHeader = SyntheticAV1.obu(1, writer.bytes)
    }

    /// A shown key frame, which all slots take in.
    mutating func keyFrame(using generator: inout SeededGenerator) -> [UInt8] {
        var writer = BitWriter()
        writer.write(0b0_00_1, bits: 4)  // show_existing_frame, frame_type, show_frame
        writeTools(to: &writer, using: &generator)
        _ = writer.draw(1, using: &generator)  // frame_size_override_flag
        let orderHint = writer.draw(orderHintBits, using: &generator)
        orderHints = [Int](repeating: orderHint, count: 8)
        return finish(&writer, using: &generator)
    }

    /// An inter, intra-only or switch frame.
    mutating func frame(using generator: inout SeededGenerator) -> [UInt8] {
        var writer = BitWriter()
        let type = [1, 1, 1, 2, 3].randomElement(using: &generator) ?? 1
        let (isIntra, isSwitch) = (type == 2, type == 3)
        writer.write(type, bits: 3)  // show_existing_frame, frame_type
        if writer.draw(1, using: &generator) == 0 { _ = writer.draw(1, using: &generator) }  // showable_frame
        let isErrorResilient = isSwitch || writer.draw(1, using: &generator) == 1
        writeTools(to: &writer, using: &generator)
        if !isSwitch { _ = writer.draw(1, using: &generator) }  // frame_size_override_flag
        let orderHint = writer.draw(orderHintBits, using: &generator)
        if !isIntra, !isErrorResilient { _ = writer.draw(3, using: &generator) }  // primary_ref_frame
        var refreshed = 0xFF
        if !isSwitch {
            // An intra-only frame leaves a slot as it is (AV1 § 6.8.2).
            refreshed = Int.random(in: 0..<0xFF, using: &generator)
            writer.write(refreshed, bits: 8)
        }
        if isErrorResilient, orderHintBits > 0 {
            for hint in orderHints { writer.write(hint, bits: orderHintBits) }
        }
        for slot in orderHints.indices where refreshed >> slot & 1 == 1 { orderHints[slot] = orderHint }
        return finish(&writer, using: &generator)
    }

    /// From disable_cdf_update to current_frame_id.
    private func writeTools(to writer: inout BitWriter, using generator: inout SeededGenerator) {
        _ = writer.draw(1, using: &generator)  // disable_cdf_update
        var allows = forcesScreenContentTools
        if selectsScreenContentTools { allows = writer.draw(1, using: &generator) == 1 }
        if allows, selectsIntegerMotionVectors { _ = writer.draw(1, using: &generator) }
        _ = writer.draw(frameIDBits, using: &generator)
    }

    /// A frame OBU of what was written and of drawn bits behind it.
    private func finish(_ writer: inout BitWriter, using generator: inout SeededGenerator) -> [UInt8] {
        // Zeros among them, so that not every option is taken.
        for _ in 0..<1200 { writer.write(Int.random(in: 0..<8, using: &generator) < 3) }
        let payload = writer.bytes
        return [6 << 3 | 2, UInt8(payload.count & 0x7F) | 0x80, UInt8(payload.count >> 7)] + payload
    }

    /// An IVF file, which FFmpeg cuts into packets without reading them.
    static func ivf(_ units: [[UInt8]]) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var file = Array("DKIF".utf8) + bytes(0, 2) + bytes(32, 2) + Array("AV01".utf8)
        file += bytes(64, 2) + bytes(64, 2) + bytes(25, 4) + bytes(1, 4) + bytes(units.count, 4) + bytes(0, 4)
        for (index, unit) in units.enumerated() { file += bytes(unit.count, 4) + bytes(index, 8) + unit }
        return file
    }
}

extension BitWriter {
    /// Writes bits as they are drawn.
    fileprivate mutating func draw(_ count: Int, using generator: inout SeededGenerator) -> Int {
        let value = count == 0 ? 0 : Int.random(in: 0..<1 << count, using: &generator)
        write(value, bits: count)
        return value
    }
}
