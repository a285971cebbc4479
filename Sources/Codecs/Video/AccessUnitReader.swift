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
}

extension AVCAccessUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.avc) }
}

extension HEVCAccessUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.hevc) }
}

extension AV1TemporalUnitReader: AccessUnitReader {
    package var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.av1) }
}
