package import MediaCore

extension InputTrack {
    /// Returns a reader of its packets.
    ///
    /// - Parameter objectTypeHint: 5 or 29 where AAC frames are known to carry spectral band replication without or
    ///   with parametric stereo.
    /// - Returns: Nil if it is not audio that this packager carries.
    /// - Throws: ``CodecError`` if the codec header is broken or missing.
    package func audioFrameReader(objectTypeHint: UInt8 = 2) throws(CodecError) -> (any AudioFrameReader)? {
        switch codec {
        case .aac: try AACFrameReader(header: header, objectTypeHint: objectTypeHint)
        case .ac3, .eac3: FramedAudioReader(DolbyAudioFraming())
        case .mp2, .mp3: FramedAudioReader(MPEGAudioFraming())
        case .opus: try OpusFrameReader(header: header)
        case .flac: try FLACFrameReader(header: header)
        case .alac: try ALACFrameReader(header: header)
        case .h264, .hevc, .av1, .text, .unsupported: nil
        }
    }
}
