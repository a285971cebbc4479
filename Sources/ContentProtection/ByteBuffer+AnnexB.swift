package import NIOCore

extension ByteBuffer {
    /// Four bytes, as many as a length has, so that an access unit keeps its size.
    static let startCode: UInt32 = 1

    private static let startCodeBytes = ByteBuffer(integer: startCode)

    /// Appends the NAL units of an access unit, which have four-byte lengths, behind start codes (ISO/IEC 14496-10
    /// Annex B), without copying them.
    ///
    /// - Throws: ``SampleEncryptionError/malformed(_:)`` if a NAL unit is empty or reaches beyond the end.
    package func appendAnnexB(to pieces: inout [ByteBuffer]) throws(SampleEncryptionError) {
        var rest = self
        while rest.readableBytes > 0 {
            guard let nalUnit = rest.readLengthPrefixedSlice(as: UInt32.self), nalUnit.readableBytes > 0 else {
                throw .malformed(.nalUnits)
            }
            pieces.append(Self.startCodeBytes)
            pieces.append(nalUnit)
        }
    }

    /// A NAL unit without one layer of emulation prevention bytes (ISO/IEC 14496-10 § 7.4.1.1).
    func removingEmulationPrevention() -> ByteBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(readableBytes)
        var zeros = 0
        for byte in readableBytesView {
            if zeros >= 2, byte == Self.emulationPreventionByte {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        return ByteBuffer(bytes: bytes)
    }

    /// Inserts emulation prevention bytes into the NAL unit that was written last (ISO/IEC 14496-10 § 7.4.1.1).
    ///
    /// - Parameter start: Index of its header byte.
    mutating func preventEmulation(from start: Int) {
        let first = unsafe withUnsafeReadableBytes { bytes in
            unsafe Self.emulation(in: bytes, from: start - readerIndex).map { $0 + readerIndex }
        }
        if let first, let rest = getBytes(at: first, length: writerIndex - first) {
            // Emulation prevention bytes are rare: only with one, the rest of the NAL unit is copied again.
            moveWriterIndex(to: first)
            unsafe rest.withUnsafeBytes { unsafe writeRest($0) }
        }
        // § 7.4.1.1: after a last byte of 0, which only cabac_zero_words have, comes another one.
        if writerIndex > start, getInteger(at: writerIndex - 1, as: UInt8.self) == 0 {
            writeInteger(Self.emulationPreventionByte)
        }
    }

    /// Writes the rest of a NAL unit from its first emulation prevention byte on.
    private mutating func writeRest(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            writeInteger(Self.emulationPreventionByte)
            // Behind the inserted byte, zero bytes count anew.
            let next = unsafe Self.emulation(in: bytes, from: position) ?? bytes.count
            unsafe writeBytes(UnsafeRawBufferPointer(rebasing: bytes[position..<next]))
            position = next
        }
    }

    private static let emulationPreventionByte: UInt8 = 3

    /// The offset of the first byte of 0 to 3 that follows two bytes of 0, both at `start` or behind it.
    private static func emulation(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start
        // Eight places at once: a byte of `places` is 0 if three bytes are 00 00 and 00 to 03.
        while position + 10 <= bytes.count {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let second = unsafe bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self)
            let third = unsafe bytes.loadUnaligned(fromByteOffset: position + 2, as: UInt64.self)
            let places = UInt64(littleEndian: first | second | third & 0xFCFC_FCFC_FCFC_FCFC)
            // The lowest bit set marks the first byte of 0; higher bits may be wrong.
            let zeros = (places &- 0x0101_0101_0101_0101) & ~places & 0x8080_8080_8080_8080
            if zeros != 0 { return position + zeros.trailingZeroBitCount / 8 + 2 }
            position += 8
        }
        while position + 3 <= bytes.count {
            if unsafe bytes[position] == 0 && bytes[position + 1] == 0 && bytes[position + 2] <= 3 {
                return position + 2
            }
            position += 1
        }
        return nil
    }
}
