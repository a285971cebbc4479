import Codecs
import MediaCore

/// Notices if a program map gives a PID another codec, because libavformat keeps the first one.
///
/// It looks at the beginnings of PES packets: in a transport stream an access unit of video begins with a delimiter
/// (ISO/IEC 13818-1 § 2.14.1, 2.17.1), and audio most often with a frame. AC-3 and E-AC-3 are not distinguished: one
/// may carry the other.
struct CodecWatch {
    private var candidate: InputTrack.Codec?
    /// PES packets in a row that begin as the candidate's do.
    private var count = 0

    /// A PES packet came whose stream is read as of this codec.
    ///
    /// - Returns: The codec that it is of, once it is certain that it is another.
    mutating func look(at payload: RawSpan, of codec: InputTrack.Codec) -> InputTrack.Codec? {
        let isVideo = Self.isVideo(codec)
        guard isVideo || AudioFrameSyntax(codec) != nil else { return nil }
        guard let found = Self.codec(payload, codec), found != codec else {
            count = 0
            return nil
        }
        count = found == candidate ? count + 1 : 1
        candidate = found
        // A picture of one codec is not readable as another's, but one packet may be damaged; a sync word may occur
        // anywhere.
        return count == (isVideo && Self.isVideo(found) ? 2 : 3) ? found : nil
    }

    /// Returns true for the codecs of pictures that it knows.
    static func isVideo(_ codec: InputTrack.Codec) -> Bool { codec == .h264 || codec == .hevc }

    /// The codec by the beginning of a PES packet that is most likely of another one.
    private static func codec(_ payload: RawSpan, _ codec: InputTrack.Codec) -> InputTrack.Codec? {
        isVideo(codec) ? video(payload) ?? audio(payload, nil) : audio(payload, codec) ?? video(payload)
    }

    /// The codec by the header of the first NAL unit: a delimiter or a parameter set, whose types are not in use in the
    /// other codec.
    private static func video(_ payload: RawSpan) -> InputTrack.Codec? {
        var start = 0
        while start < min(8, payload.byteCount), payload.byte(start) == 0 { start += 1 }
        guard start >= 2, start + 2 < payload.byteCount, payload.byte(start) == 1 else { return nil }
        switch (payload.byte(start + 1), payload.byte(start + 2)) {
        case (0x46, 0x01), (0x40, 0x01), (0x42, 0x01): return .hevc
        case (0x09, _), (0x67, _), (0x47, _), (0x27, _): return .h264
        default: return nil
        }
    }

    private static func audio(_ payload: RawSpan, _ codec: InputTrack.Codec?) -> InputTrack.Codec? {
        if let codec, AudioFrameSyntax(codec)?.wholeHeader(payload) != nil { return codec }
        for syntax in [.adts, .dolby] as [AudioFrameSyntax] {
            if let header = syntax.wholeHeader(payload) { return header.codec }
        }
        // The first frames show the layer.
        return AudioFrameSyntax.mpegAudio.wholeHeader(payload) != nil ? .mp2 : nil
    }
}
