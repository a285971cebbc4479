extension TransportPacket {
    /// Without adaptation field.
    static let maximumPayload = 184
    /// Of an adaptation field with flags only.
    static let flagsSize = 2
    static let stuffing = [UInt8](repeating: 0xFF, count: size)

    /// A packet with payload, padded by stuffing in its adaptation field (ISO/IEC 13818-1 § 2.4.3.5).
    ///
    /// - Parameters:
    ///   - pid: 13 bits.
    ///   - isUnitStart: Whether a section or PES packet starts in it.
    ///   - isRandomAccess: Whether decoding may start with that.
    ///   - counter: 4 bits.
    ///   - payload: At most 184 bytes, less two for a random access indicator.
    /// - Returns: 188 bytes.
    static func bytes(
        pid: UInt16,
        isUnitStart: Bool,
        isRandomAccess: Bool = false,
        counter: UInt8,
        payload: ArraySlice<UInt8>
    ) -> [UInt8] {
        let fieldSize = maximumPayload - payload.count
        var bytes = head(pid: pid, isUnitStart: isUnitStart, control: fieldSize > 0 ? 0x30 : 0x10, counter: counter)
        if fieldSize > 0 { bytes.append(UInt8(fieldSize - 1)) }
        if fieldSize > 1 { bytes.append(isRandomAccess ? 0x40 : 0) }
        if fieldSize > 2 { bytes += stuffing.prefix(fieldSize - 2) }
        bytes += payload
        return bytes
    }

    /// A packet without payload.
    ///
    /// - Parameters:
    ///   - clock: In 90 kHz ticks; 33 bits of it count.
    ///   - pid: The program map's PCR_PID.
    ///   - counter: The same as in that PID's packet before.
    /// - Returns: 188 bytes.
    static func clockReference(_ clock: Int64, pid: UInt16, counter: UInt8) -> [UInt8] {
        var bytes = head(pid: pid, isUnitStart: false, control: 0x20, counter: counter)
        // The base, six reserved bits, and no extension.
        let field = (clock & (PESHeader.modulus - 1)) << 15 | 0x7E00
        bytes += [UInt8(maximumPayload - 1), 0x10]
        bytes += stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: field >> Int64($0)) }
        bytes += stuffing.prefix(size - bytes.count)
        return bytes
    }

    private static func head(pid: UInt16, isUnitStart: Bool, control: UInt8, counter: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        bytes += [syncByte, (isUnitStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(truncatingIfNeeded: pid)]
        bytes.append(control | counter & 15)
        return bytes
    }
}
