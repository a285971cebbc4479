import MediaCore

/// How frames stand one after another in a codec that frames itself.
protocol AudioFraming: Sendable {
    associatedtype Header: AudioFrameHeader

    /// The frame at the start of bytes.
    ///
    /// - Returns: Nil where it goes on beyond the end.
    /// - Throws: ``CodecError`` where there is no frame.
    func frame(in bytes: RawSpan) throws(CodecError) -> FramedAudio<Header.Stream>?

    /// PCM samples of a frame that begin in front of an offset in its bytes.
    func samples(of frame: RawSpan, _ found: FramedAudio<Header.Stream>, beginningBefore offset: Int) -> Int

    /// What is in force when a frame of `found` follows those of `current`.
    func configuration(_ found: CodecConfiguration, after current: CodecConfiguration) -> CodecConfiguration
}

extension AudioFraming {
    func samples(of frame: RawSpan, _ found: FramedAudio<Header.Stream>, beginningBefore offset: Int) -> Int {
        offset > 0 ? found.samples : 0
    }

    func configuration(_ found: CodecConfiguration, after current: CodecConfiguration) -> CodecConfiguration { found }
}
