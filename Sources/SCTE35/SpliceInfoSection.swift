/// What an upstream says of its programme: a splice_info_section (ANSI/SCTE 35 § 9.6).
package struct SpliceInfoSection: Hashable, Sendable {
    /// What is told: in the clear, or so that only who has the control words can read it.
    package enum Content: Hashable, Sendable {
        case clear(SpliceCommand, [SpliceDescriptor])
        /// Everything from the command's type to `E_CRC_32`, as it came (§ 9.6.1, § 11).
        case encrypted(algorithm: UInt8, commandLength: UInt16, bytes: [UInt8])
    }

    /// Which kind of sync sample the splice is at (ISO/IEC 14496-12 Annex I); 3 for unknown.
    package var accessPointType: UInt8 = 3
    /// Added to every time in it, in ticks of 90 kHz, modulo 2^33: a remultiplexer has moved timestamps by as much.
    package var adjustment: UInt64 = 0
    /// Which control word it is encrypted with, cw_index; of nothing else anything.
    package var controlWord: UInt8 = 0xFF
    /// Who may use it; 0xFFF for everybody.
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
    /// Of the table's own three bytes and those that section_length counts up to the command's type.
    static let headerLength = 13
}
