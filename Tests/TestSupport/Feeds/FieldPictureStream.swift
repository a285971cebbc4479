/// H.264 whose pictures are single fields, which x264 does not write (ISO/IEC 14496-10 § 7.3): the first field of a key
/// frame is an IDR picture and its second one is predicted from it.
package struct FieldPictureStream: Hashable, Sendable {
    /// Frames, of 64x64, 25 a second.
    package var frames: Int
    /// True if an access unit delimiter stands before each field, not only before each frame.
    package var delimitsFields: Bool

    package init(frames: Int, delimitsFields: Bool) {
        self.frames = frames
        self.delimitsFields = delimitsFields
    }

    private static let (columns, rows) = (4, 2)

    /// A byte stream (ISO/IEC 14496-10 Annex B).
    package var bytes: [UInt8] {
        (0..<frames).flatMap { frame -> [UInt8] in
            let delimiter: [UInt8] = [0x09, 0xF0]
            var nalUnits = [delimiter]
            if frame % 25 == 0 { nalUnits += [Self.sequenceParameterSet, Self.pictureParameterSet] }
            nalUnits.append(field(frame, isBottom: false))
            if delimitsFields { nalUnits.append(delimiter) }
            nalUnits.append(field(frame, isBottom: true))
            return nalUnits.flatMap { [0, 0, 0, 1] + $0 }
        }
    }

    /// A slice of one field: all of a top field is PCM, and so is the first macroblock of a bottom field.
    private func field(_ frame: Int, isBottom: Bool) -> [UInt8] {
        let isIDR = frame % 25 == 0 && !isBottom
        var bits = Bits()
        bits.golomb(0)
        bits.golomb(isBottom ? 5 : 7)
        bits.golomb(0)
        bits.write(frame % 25 % 16, 4)  // frame_num
        bits.write(1, 1)  // field_pic_flag
        bits.write(isBottom ? 1 : 0, 1)
        if isIDR { bits.golomb(frame / 25 % 2) }
        if isBottom { bits.write(0, 2) }  // no override of the number of references, no change of their order
        bits.write(0, isIDR ? 2 : 1)  // dec_ref_pic_marking: as they come
        bits.golomb(0)
        bits.golomb(1)  // no deblocking
        for macroblock in 0..<Self.columns * Self.rows {
            if isBottom {
                bits.golomb(macroblock == 0 ? 0 : Self.columns * Self.rows - 1)  // mb_skip_run
                if macroblock > 0 { break }
            }
            bits.golomb(isBottom ? 30 : 25)  // I_PCM
            bits.align()
            for sample in 0..<384 {
                bits.write(16 + (frame * 7 + macroblock * 31 + sample * (isBottom ? 5 : 3)) % 220, 8)
            }
        }
        return [isIDR ? 0x65 : 0x61] + ByteStream.escaped(bits.rbsp)
    }

    /// Main profile, fields allowed, order of decoding, 50 fields a second.
    private static let sequenceParameterSet: [UInt8] = {
        var bits = Bits()
        for value in [77, 0, 30] { bits.write(value, 8) }
        for value in [0, 0, 2, 1] { bits.golomb(value) }
        bits.write(0, 1)
        bits.golomb(columns - 1)
        bits.golomb(rows - 1)
        bits.write(0b0010_1, 5)  // frame_mbs_only, mb_adaptive, direct_8x8, cropping, VUI
        bits.write(0b0000_1, 5)
        bits.write(1, 32)
        bits.write(50, 32)
        bits.write(0b1_0000, 5)
        return [0x67] + ByteStream.escaped(bits.rbsp)
    }()

    private static let pictureParameterSet: [UInt8] = {
        var bits = Bits()
        for value in [0, 0] { bits.golomb(value) }
        bits.write(0, 2)
        for value in [0, 0, 0] { bits.golomb(value) }
        bits.write(0, 3)
        for value in [0, 0, 0] { bits.golomb(value) }
        bits.write(0b100, 3)  // deblocking_filter_control_present_flag
        return [0x68] + ByteStream.escaped(bits.rbsp)
    }()

    private struct Bits {
        private var bits: [Bool] = []

        mutating func write(_ value: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
        }

        /// ue(v), § 9.1; of 0, se(v) too.
        mutating func golomb(_ value: Int) {
            let length = Int.bitWidth - (value + 1).leadingZeroBitCount
            write(value + 1, 2 * length - 1)
        }

        mutating func align() {
            while bits.count % 8 != 0 { bits.append(false) }
        }

        /// With rbsp_trailing_bits().
        var rbsp: [UInt8] {
            var whole = self
            whole.write(1, 1)
            whole.align()
            return stride(from: 0, to: whole.bits.count, by: 8).map { start in
                whole.bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
        }
    }
}
