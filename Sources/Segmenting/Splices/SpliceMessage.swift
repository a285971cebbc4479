package import SCTE35

/// A `splice_info_section` of a feed (ANSI/SCTE 35 § 9.6), and the bytes that players get of it.
package struct SpliceMessage: Sendable {
    package var section: SpliceInfoSection
    package var bytes: [UInt8]

    /// - Parameters:
    ///   - bytes: From its table_id on; what follows its end is left out.
    ///   - shift: What the feed's timestamps were moved by since it was made, in 90 kHz ticks.
    /// - Throws: Why it cannot be read.
    package init(reading bytes: RawSpan, shift: Int64 = 0) throws(SpliceError) {
        section = try SpliceInfoSection(bytes)
        let all = bytes.withUnsafeBytes { Array($0) }
        self.bytes = Array(all.prefix(3 + Int(all[1] & 0x0F) << 8 + Int(all[2])))
        guard shift != 0 else { return }
        // What moves timestamps says so in the section (§ 9.6.1, pts_adjustment).
        section.adjustment = section.timestamp(of: UInt64(bitPattern: shift))
        self.bytes = try section.bytes()
    }
}
