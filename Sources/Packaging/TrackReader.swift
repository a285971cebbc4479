import Codecs
import MediaCore
import NIOCore

/// Reads one track's packets into the samples that they carry.
struct TrackReader: Sendable {
    /// A sample before it has its place on the timeline.
    struct Unit: Sendable {
        var payload: ByteBuffer
        var subsamples: [Subsample]
        var isSync: Bool
        /// What it is decoded with.
        var configuration: CodecConfiguration
        /// How long after the packet's timestamp it is due: later frames of one packet.
        var delay: MediaTime
        /// What the picture is labelled with, where that was asked for.
        var timecode: Timecode?
    }

    private var codec: Codec
    /// A configuration that came between sync samples waits for the next one.
    private var active: CodecConfiguration?

    private enum Codec: Sendable {
        case avc(AVCAccessUnitReader)
        case aac(AACFrameReader)
    }

    /// - Parameters:
    ///   - track: As its container describes it.
    ///   - wantsSubsamples: Whether samples will be encrypted.
    ///   - wantsTimecode: Whether pictures are looked through for their labels.
    /// - Throws: ``CodecError`` where the codec header is broken.
    init?(track: InputTrack, wantsSubsamples: Bool, wantsTimecode: Bool = false) throws(CodecError) {
        switch track.codec {
        case .h264:
            var reader = try AVCAccessUnitReader(header: track.header, wantsSubsamples: wantsSubsamples)
            reader.wantsTimecode = wantsTimecode
            codec = .avc(reader)
        case .aac:
            codec = .aac(try AACFrameReader(header: track.header))
        case .unsupported:
            return nil
        }
    }

    /// Reads a packet.
    ///
    /// - Throws: ``CodecError`` where its bytes make no sample.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> [Unit] {
        switch codec {
        case .avc(var reader):
            defer { codec = .avc(reader) }
            let unit = try reader.read(payload)
            guard unit.hasPicture else { return [] }
            if unit.isIDR || active == nil { active = reader.configuration.map(CodecConfiguration.avc) }
            guard let active else { return [] }
            return [
                Unit(
                    payload: unit.payload,
                    subsamples: unit.subsamples,
                    isSync: unit.isIDR,
                    configuration: active,
                    delay: .zero,
                    timecode: unit.timecode
                )
            ]
        case .aac(var reader):
            defer { codec = .aac(reader) }
            let frames = try reader.read(payload).frames
            guard let aac = reader.configuration else { return [] }
            let configuration = CodecConfiguration.aac(aac)
            return frames.enumerated().map { index, frame in
                let samples = Int64(index * AACConfiguration.samplesPerFrame)
                return Unit(
                    payload: frame,
                    subsamples: [],
                    isSync: true,
                    configuration: configuration,
                    delay: MediaTime(samples, timescale: Int64(aac.coreSampleRate))
                )
            }
        }
    }
}
