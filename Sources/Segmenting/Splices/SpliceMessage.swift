package import SCTE35

/// A `splice_info_section` of a feed (ANSI/SCTE 35 § 9.6), with its bytes for players.
package struct SpliceMessage: Sendable {
    package var section: SpliceInfoSection
    package var bytes: [UInt8]

    /// - Parameters:
    ///   - bytes: The section from its table_id on; bytes after its end are left out.
    ///   - shift: The shift of the feed's timestamps since it was made, in 90 kHz ticks.
    /// - Throws: The error of a section that cannot be read.
    package init(reading bytes: RawSpan, shift: Int64 = 0) throws(SpliceError) {
        section = try SpliceInfoSection(bytes)
        let all = bytes.withUnsafeBytes { Array($0) }
        self.bytes = Array(all.prefix(3 + Int(all[1] & 0x0F) << 8 + Int(all[2])))
        guard shift != 0 else { return }
        // A shift of timestamps is written into the section (§ 9.6.1, pts_adjustment).
        section.adjustment = section.timestamp(of: UInt64(bitPattern: shift))
        self.bytes = try section.bytes()
    }
}
