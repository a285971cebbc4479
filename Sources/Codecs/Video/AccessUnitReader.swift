package import MediaCore

/// Turns the packets of a video track into access units, the samples of a track.
package protocol AccessUnitReader: Sendable {
    /// What the access units read last are decoded with; nil while nothing has told.
    var codecConfiguration: CodecConfiguration? { get }

    /// Reads the first access unit of a packet.
    ///
    /// - Parameter payload: The packet's bytes, or those that a reading before this one has left of them.
    /// - Returns: The sample, and what came with it.
    /// - Throws: ``CodecError`` where the framing is broken, or subsamples are wanted and a header cannot be read.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> AccessUnit

    /// Whether a NAL unit with this first byte is a slice of a picture that decoding may start at; nil if it is no slice.
    static func isSyncSlice(header: UInt8) -> Bool?
}

extension AccessUnitReader {
    package static func isSyncSlice(header: UInt8) -> Bool? { nil }

    /// Whether a packet that cannot be read is a picture that decoding may start at; nil if no slice is seen in it.
    package func isSync(unreadable payload: RawSpan) -> Bool? {
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
}

extension HEVCAccessUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.hevc) }

    package static func isSyncSlice(header: UInt8) -> Bool? {
        let type = HEVCNALUnitType(header: header)
        return type.isSlice ? type.isRandomAccessPoint : nil
    }
}

extension AV1TemporalUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.av1) }
}
