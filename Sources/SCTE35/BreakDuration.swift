/// The length of a break (ANSI/SCTE 35 § 9.8.2).
package struct BreakDuration: Hashable, Sendable {
    /// Ticks of 90 kHz.
    package var ticks: UInt64
    /// True if it ends by itself, without a message.
    package var returnsByItself: Bool

    package init(ticks: UInt64, returnsByItself: Bool) {
        (self.ticks, self.returnsByItself) = (ticks, returnsByItself)
    }
}
