/// A short-term reference picture set (ISO/IEC 23008-2 § 7.3.7): the fields that slice segment headers depend on.
struct ShortTermReferences: Hashable, Sendable {
    /// The references before the picture in presentation, then those behind it, the closest first.
    private var references: [Reference] = []

    private struct Reference: Hashable, Sendable {
        /// Difference in picture order count, never 0.
        var delta: Int
        /// True if the picture itself may refer to it, not only pictures that follow.
        var isUsedByCurrent: Bool
    }

    /// § 7.4.8: sps_max_dec_pic_buffering_minus1 bounds it, which is 15 at most (§ A.4.2).
    private static let limit: UInt32 = 16

    init() {}

    /// The number of references that the picture itself may use.
    var countUsedByCurrent: Int { references.count { $0.isUsedByCurrent } }

    /// Reads st_ref_pic_set().
    ///
    /// - Parameters:
    ///   - reader: At its beginning.
    ///   - earlier: The sets of the sequence parameter set that come before this one; all of them in a slice.
    ///   - isInSlice: True if a slice segment header holds it.
    /// - Throws: ``CodecError`` if it is cut short or a value is out of its range.
    init(_ reader: inout BitReader, earlier: [ShortTermReferences], isInSlice: Bool) throws(CodecError) {
        // inter_ref_pic_set_prediction_flag
        if !earlier.isEmpty, try reader.readFlag() {
            try readDifference(&reader, earlier: earlier, isInSlice: isInSlice)
        } else {
            try readAll(&reader)
        }
    }

    private mutating func readAll(_ reader: inout BitReader) throws(CodecError) {
        let before = try reader.readUnsignedGolomb(upTo: Self.limit, "num_negative_pics")
        let behind = try reader.readUnsignedGolomb(upTo: Self.limit - UInt32(before), "num_positive_pics")
        for (count, sign) in [(before, -1), (behind, 1)] {
            var delta = 0
            for _ in 0..<count {
                delta += try sign * (1 + reader.readUnsignedGolomb(upTo: 0x7FFF, "delta_poc_minus1"))
                references.append(Reference(delta: delta, isUsedByCurrent: try reader.readFlag()))
            }
        }
    }

    /// Reads the set as a difference from another set (equations 7-61 and 7-62).
    private mutating func readDifference(
        _ reader: inout BitReader,
        earlier: [ShortTermReferences],
        isInSlice: Bool
    ) throws(CodecError) {
        let distance = try isInSlice ? 1 + reader.readUnsignedGolomb(upTo: 63, "delta_idx_minus1") : 1
        guard distance <= earlier.count else { throw .invalid("delta_idx_minus1") }
        let isNegative = try reader.readFlag()
        let magnitude = try 1 + reader.readUnsignedGolomb(upTo: 0x7FFF, "abs_delta_rps_minus1")
        let shift = isNegative ? -magnitude : magnitude
        // The picture that the other set is of comes behind those that it refers to.
        for delta in earlier[earlier.count - distance].references.map(\.delta) + [0] {
            let isUsedByCurrent = try reader.readFlag()
            let isKept = isUsedByCurrent ? true : try reader.readFlag()  // use_delta_flag
            let shifted = delta + shift
            guard isKept, shifted != 0 else { continue }
            references.append(Reference(delta: shifted, isUsedByCurrent: isUsedByCurrent))
        }
        guard references.count <= Self.limit else { throw .invalid("short-term reference picture set") }
        references.sort { ($0.delta > 0 ? 1 : 0, abs($0.delta)) < ($1.delta > 0 ? 1 : 0, abs($1.delta)) }
    }
}
