/// A run of clear bytes and the run of protected bytes that follows it: an entry of `senc` (ISO/IEC 23001-7 § 7.2).
package struct Subsample: Hashable, Sendable {
    package var clearBytes: UInt16
    package var protectedBytes: UInt32

    package init(clearBytes: UInt16, protectedBytes: UInt32) {
        self.clearBytes = clearBytes
        self.protectedBytes = protectedBytes
    }
}
