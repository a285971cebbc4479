import CFFmpeg
import Codecs
import MediaCore

/// Looks at the first packets of a track for facts that a program map does not have.
///
/// Stream types 3 and 4 are MPEG audio of any layer, 0x0F is AAC with and without SBR and parametric stereo
/// (ISO/IEC 13818-1 table 2-34).
final class TrackProbe {
    private let codec: InputTrack.Codec
    private var decoder: AudioDecoder?
    /// The number of frames that are still to be looked at.
    private var frames = 20
    private(set) var finding: Finding
    private var mayBeParametric = false

    struct Finding: Hashable {
        var codec: InputTrack.Codec
        var objectTypeHint: UInt8?
    }

    /// - Returns: Nil if there is nothing to look for.
    init?(_ track: InputTrack) {
        codec = track.codec
        finding = Finding(codec: track.codec)
        switch codec {
        case .aac where track.header.isEmpty: decoder = try? AudioDecoder(.aac)
        case .mp2, .mp3: break
        default: return nil
        }
    }

    /// A packet of the track came.
    ///
    /// - Parameter payload: Whole frames.
    /// - Returns: True if all that is to be found is found.
    func look(at payload: RawSpan) -> Bool {
        var rest = payload
        while frames > 0, !rest.isEmpty, let syntax = AudioFrameSyntax(codec) {
            frames -= 1
            guard let header = syntax.wholeHeader(rest) else { break }
            // The first header of MPEG audio has the layer.
            if codec != .aac { finding.codec = header.codec }
            if codec != .aac || hasAAC(rest.extracting(first: header.byteCount)) { frames = 0 }
            rest = rest.extracting(droppingFirst: header.byteCount)
        }
        return frames == 0
    }

    private func hasAAC(_ frame: RawSpan) -> Bool {
        guard let audio = (try? decoder?.decode(frame)) ?? nil else { return false }
        let profile = decoder?.profile
        // libavcodec says so of the first frame of any mono with SBR, and makes both sides the same unless there is
        // parametric stereo.
        if profile == FF_PROFILE_AAC_HE_V2 { mayBeParametric = true }
        guard profile == FF_PROFILE_AAC_HE || mayBeParametric else { return true }
        let isParametric = mayBeParametric && audio.channels.count == 2 && audio.channels[0] != audio.channels[1]
        finding.objectTypeHint = isParametric ? 29 : 5
        return isParametric || !mayBeParametric
    }
}
