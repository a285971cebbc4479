/// The configuration that a decoder needs before the first sample of a track, and that a playlist names.
///
/// It is passed on with each sample, and a copy is a reference.
package indirect enum CodecConfiguration: Hashable, Sendable {
    case avc(AVCConfiguration)
    case hevc(HEVCConfiguration)
    case av1(AV1Configuration)
    case aac(AACConfiguration)
    case ac3(AC3Configuration)
    case eac3(EAC3Configuration)
    case mpegAudio(MPEGAudioConfiguration)
    case opus(OpusConfiguration)
    case flac(FLACConfiguration)
    case alac(ALACConfiguration)
    case text(TextFormat)

    package var kind: MediaKind {
        switch self {
        case .avc, .hevc, .av1: .video
        case .aac, .ac3, .eac3, .mpegAudio, .opus, .flac, .alac: .audio
        case .text(let format): .text(format)
        }
    }

    /// The format of pictures; nil if it is no video.
    package var picture: PictureFormat? {
        switch self {
        case .avc(let avc): avc.picture
        case .hevc(let hevc): hevc.picture
        case .av1(let av1): av1.picture
        default: nil
        }
    }

    /// The format of audio; nil for other media.
    package var audio: AudioFormat? {
        switch self {
        case .avc, .hevc, .av1, .text:
            nil
        case .aac(let aac):
            AudioFormat(
                sampleRate: aac.coreSampleRate,
                samplesPerFrame: AACConfiguration.samplesPerFrame,
                channels: aac.channels
            )
        case .ac3(let ac3): ac3.audio
        case .eac3(let eac3): eac3.audio
        case .mpegAudio(let audio):
            AudioFormat(
                sampleRate: audio.sampleRate,
                samplesPerFrame: audio.samplesPerFrame,
                channels: audio.channels
            )
        case .opus(let opus):
            AudioFormat(
                sampleRate: OpusConfiguration.sampleRate,
                samplesPerFrame: OpusConfiguration.samplesPerFrame,
                channels: opus.channels
            )
        case .flac(let flac):
            AudioFormat(sampleRate: flac.sampleRate, samplesPerFrame: flac.samplesPerFrame, channels: flac.channels)
        case .alac(let alac):
            AudioFormat(sampleRate: alac.sampleRate, samplesPerFrame: alac.samplesPerFrame, channels: alac.channels)
        }
    }
}
