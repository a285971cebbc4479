import ContentProtection
import MPEGTS
import MediaCore
import NIOCore
import Presentation
import Segmenting

/// Writes packed audio: frames behind an ID3 tag with their time, as a rendition beside transport streams.
struct PackedAudioMuxer: SegmentMuxer {
    private var current: (configuration: CodecConfiguration, sound: ElementarySound, fingerprint: String)?
    private var cipher: TransportCipher?

    mutating func mux(_ contents: SegmentContents, key: PeriodKey?) throws -> MuxedSegment {
        let cut = contents.cut
        guard let configuration = cut.configuration else { throw SegmentMuxerError.notCarried }
        if current?.configuration != configuration {
            guard let sound = ElementarySound(configuration) else { throw SegmentMuxerError.notCarried }
            current = (configuration, sound, configuration.fingerprint)
        }
        guard let current else { throw SegmentMuxerError.notCarried }
        cipher = try TransportCipher.cipher(for: key, after: cipher)
        let units = try current.sound.accessUnits(of: cut, cipher)
        let segment = PackedAudioSegment(
            presentationTime: units.first?.presentationTime ?? 0,
            audioSetup: key == nil ? nil : current.sound.setup,
            frames: units.map(\.payload)
        )
        return MuxedSegment(bytes: segment.encode(), fingerprint: current.fingerprint)
    }
}
