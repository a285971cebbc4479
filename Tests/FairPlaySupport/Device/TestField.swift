package import FairPlay

/// A TLLV as a device writes it, right or wrong.
package struct TestField: Sendable {
    package var tag: TLLVTag
    package var value: [UInt8]
    /// Blocks of padding more than it needs.
    package var extraBlocks: Int
    /// The lengths in its header, if not its own.
    package var blockLength: UInt32?
    package var valueLength: UInt32?

    package init(_ tag: TLLVTag, _ value: [UInt8], extraBlocks: Int = 0) {
        self.tag = tag
        self.value = value
        self.extraBlocks = extraBlocks
    }

    /// Its bytes, and which of them are padding.
    package var bytes: [(byte: UInt8, isPadding: Bool)] {
        let padding = (16 - value.count % 16) % 16 + 16 * extraBlocks
        let header =
            tag.rawValue.bytes + (blockLength ?? UInt32(value.count + padding)).bytes
            + (valueLength ?? UInt32(value.count)).bytes
        return (header + value).map { ($0, false) } + (0..<padding).map { (UInt8(truncatingIfNeeded: 0xA0 + $0), true) }
    }
}

extension FixedWidthInteger {
    /// Big-endian.
    package var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
