package import MediaCore

/// Turns the packets of a video track into access units, the samples of a track.
package protocol AccessUnitReader: Sendable {
    /// The configuration for decoding the access units read last; nil while unknown.
    var codecConfiguration: CodecConfiguration? { get }

    /// Reads the first access unit of a packet.
    ///
    /// - Parameter payload: The packet's bytes, or those that a reading before this one has left of them.
    /// - Returns: The sample, and what came with it.
    /// - Throws: ``CodecError`` if the framing is broken, or subsamples are wanted and a header cannot be read.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> AccessUnit

    /// Returns true if a NAL unit with this first byte is a slice of a picture that decoding may start at; nil if it is
    /// no slice.
    static func isSyncSlice(header: UInt8) -> Bool?

    /// Returns true if a NAL unit only comes ahead of all slices of a picture, or is the first of them; parameter sets
    /// that could decide it otherwise are not considered.
    static func beginsAccessUnit(_ nalUnit: RawSpan) -> Bool
}

extension AccessUnitReader {
    package static func isSyncSlice(header: UInt8) -> Bool? { nil }
    package static func beginsAccessUnit(_ nalUnit: RawSpan) -> Bool { false }

    /// Returns the place of the first access unit that begins in bytes with start codes; nil if none does, 0 if they
    /// are too few to tell.
    package static func accessUnitStart(in payload: RawSpan) -> Int? {
        // ISO/IEC 14496-10 § B.1.1: zero bytes may stand ahead of a start code.
        let zeros = (0..<payload.byteCount).prefix { payload.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0 }.count
        guard payload.byteCount - zeros > 2 else { return 0 }
        var nalUnits = NALUnits(payload, framing: .startCodes)
        var position = nalUnits.position
        while let nalUnit = try? nalUnits.next() {
            if beginsAccessUnit(nalUnit) { return position < zeros ? 0 : position }
            position = nalUnits.position
        }
        return nil
    }

    /// Returns true if a packet that cannot be read is a picture that decoding may start at; nil if no slice is seen in
    /// it.
    func isSync(unreadable payload: RawSpan) -> Bool? {
        var nalUnits = NALUnits(payload, framing: .startCodes)
        var isSync: Bool?
        while let nalUnit = try? nalUnits.next() {
            guard let isSyncSlice = Self.isSyncSlice(header: nalUnit.unsafeLoad(as: UInt8.self)) else { continue }
            if isSyncSlice { return true }
            isSync = false
        }
        return isSync
    }
}

extension AVCAccessUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.avc) }

    package static func isSyncSlice(header: UInt8) -> Bool? {
        let type = NALUnitType(header: header)
        return type.isVCL ? type == .idrSlice : nil
    }

    package static func beginsAccessUnit(_ nalUnit: RawSpan) -> Bool {
        NALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self)).leadsAccessUnit || NALUnitType.isFirstSlice(nalUnit)
    }
}

extension HEVCAccessUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.hevc) }

    package static func isSyncSlice(header: UInt8) -> Bool? {
        let type = HEVCNALUnitType(header: header)
        return type.isSlice ? type.isRandomAccessPoint : nil
    }

    package static func beginsAccessUnit(_ nalUnit: RawSpan) -> Bool {
        // Other layers belong to the picture of the base layer.
        guard let type = typeInBaseLayer(nalUnit) else { return false }
        return type.leadsAccessUnit || isFirstSlice(nalUnit, type)
    }
}

extension AV1TemporalUnitReader: AccessUnitReader {
    var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.av1) }
}
