package import MediaCore
package import NIOCore

/// Makes frames that decode to silence, to fill holes with.
package enum AudioSilence {
    /// Makes one frame of silence of ``AudioFormat/samplesPerFrame`` samples.
    ///
    /// - Returns: Nil if the codec has none, or the configuration cannot be read.
    package static func frame(for configuration: CodecConfiguration) -> ByteBuffer? {
        switch configuration {
        case .avc, .hevc, .av1, .text: nil
        case .aac(let aac): try? AACSilence.frame(for: aac)
        case .ac3(let ac3): DolbySilence.frame(ac3).map(ByteBuffer.init(bytes:))
        case .eac3(let eac3): DolbySilence.frame(eac3).map(ByteBuffer.init(bytes:))
        case .mpegAudio(let audio): audio.silence.map(ByteBuffer.init(bytes:))
        case .opus(let opus): ByteBuffer(bytes: opus.silence)
        case .flac(let flac): ByteBuffer(bytes: flac.silence)
        case .alac(let alac): alac.silence.map(ByteBuffer.init(bytes:))
        }
    }
}
