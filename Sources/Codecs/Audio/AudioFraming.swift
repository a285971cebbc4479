import MediaCore

/// The framing of a codec that frames itself.
protocol AudioFraming: Sendable {
    associatedtype Header: AudioFrameHeader

    /// The frame at the start of bytes.
    ///
    /// - Returns: Nil if it continues beyond the end.
    /// - Throws: ``CodecError`` if there is no frame.
    func frame(in bytes: RawSpan) throws(CodecError) -> FramedAudio<Header.Stream>?

    /// Returns the configuration in force when a frame of `found` follows those of `current`.
    func configuration(_ found: CodecConfiguration, after current: CodecConfiguration) -> CodecConfiguration
}

extension AudioFraming {
    func configuration(_ found: CodecConfiguration, after current: CodecConfiguration) -> CodecConfiguration { found }
}
