package import MediaCore

extension InputTrack {
    /// Returns a reader of its packets.
    ///
    /// - Parameters:
    ///   - wantsSubsamples: True if access units come with their subsamples.
    ///   - wantsTimecode: True if they come with their timecode.
    /// - Returns: Nil if it is not video that this packager carries.
    /// - Throws: ``CodecError`` if the codec header is broken.
    package func accessUnitReader(
        wantsSubsamples: Bool,
        wantsTimecode: Bool
    ) throws(CodecError) -> (any AccessUnitReader)? {
        switch codec {
        case .h264:
            var reader = try AVCAccessUnitReader(header: header, wantsSubsamples: wantsSubsamples)
            reader.wantsTimecode = wantsTimecode
            return reader
        case .hevc:
            var reader = try HEVCAccessUnitReader(header: header, wantsSubsamples: wantsSubsamples)
            reader.wantsTimecode = wantsTimecode
            return reader
        case .av1:
            var reader = try AV1TemporalUnitReader(header: header, wantsSubsamples: wantsSubsamples)
            reader.wantsTimecode = wantsTimecode
            return reader
        default:
            return nil
        }
    }
}
