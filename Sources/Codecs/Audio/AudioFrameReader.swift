package import MediaCore

/// Turns the packets of an audio track into bare frames, the samples of a track.
package protocol AudioFrameReader: Sendable {
    /// The configuration for decoding the frames read last; nil while unknown.
    var codecConfiguration: CodecConfiguration? { get }

    /// Reads one packet.
    ///
    /// - Parameter payload: The packet's bytes: whole frames.
    /// - Returns: The frames, and what came with them.
    /// - Throws: ``CodecError`` if nothing can be read.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames
}
