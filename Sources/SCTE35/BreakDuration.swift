/// How long a break lasts (ANSI/SCTE 35 § 9.8.2).
package struct BreakDuration: Hashable, Sendable {
    /// Ticks of 90 kHz.
    package var ticks: UInt64
    /// Whether it ends by itself, without a message.
    package var returnsByItself: Bool

    package init(ticks: UInt64, returnsByItself: Bool) {
        (self.ticks, self.returnsByItself) = (ticks, returnsByItself)
    }
}
