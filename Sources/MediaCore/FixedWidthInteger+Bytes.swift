extension FixedWidthInteger {
    /// The bytes of the number, the most significant first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
