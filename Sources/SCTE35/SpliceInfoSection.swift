/// A message about splices in a programme: a splice_info_section (ANSI/SCTE 35 § 9.6).
package struct SpliceInfoSection: Hashable, Sendable {
    /// The contents: in the clear, or so that only holders of the control words can read them.
    package enum Content: Hashable, Sendable {
        case clear(SpliceCommand, [SpliceDescriptor])
        /// Everything from the command's type to `E_CRC_32`, as it came (§ 9.6.1, § 11).
        case encrypted(algorithm: UInt8, commandLength: UInt16, bytes: [UInt8])
    }

    /// The kind of sync sample that the splice is at (ISO/IEC 14496-12 Annex I); 3 for unknown.
    package var accessPointType: UInt8 = 3
    /// Added to every time in it, in ticks of 90 kHz, modulo 2^33: a remultiplexer has moved timestamps by as much.
    package var adjustment: UInt64 = 0
    /// The control word that it is encrypted with, cw_index; without meaning for others.
    package var controlWord: UInt8 = 0xFF
    /// The authorization tier that may use it; 0xFFF for everybody.
    package var tier: UInt16 = 0xFFF
    package var content: Content

    package init(
        _ command: SpliceCommand,
        _ descriptors: [SpliceDescriptor] = [],
        adjustment: UInt64 = 0
    ) {
        content = .clear(command, descriptors)
        self.adjustment = adjustment
    }

    init(content: Content) {
        self.content = content
    }

    /// A time in it on the clock of the feed's timestamps, in ticks of 90 kHz modulo 2^33 (§ 9.6.1, pts_adjustment).
    package func timestamp(of time: UInt64) -> UInt64 { (time &+ adjustment) & Self.lastTimestamp }

    static let lastTimestamp: UInt64 = 1 << 33 - 1
    static let tableID: UInt8 = 0xFC
    /// Bytes of the table's head: its own three and those that section_length counts up to the command's type.
    static let headerLength = 13
}
