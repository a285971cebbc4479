extension BitReader {
    /// Steps over scaling_list_data() of HEVC (ISO/IEC 23008-2 § 7.3.4).
    mutating func skipScalingLists() throws(CodecError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try readFlag() else {  // scaling_list_pred_mode_flag
                    _ = try readUnsignedGolomb()  // scaling_list_pred_matrix_id_delta
                    continue
                }
                // scaling_list_dc_coef_minus8 of the greater ones, scaling_list_delta_coef
                for _ in 0..<(size > 1 ? 1 : 0) + min(64, 16 << (2 * size)) { _ = try readSignedGolomb() }
            }
        }
    }
}
