extension RawSpan {
    /// A copy of the bytes.
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    /// The byte at `offset`, which is checked.
    func byte(_ offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
