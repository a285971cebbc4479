import ContentProtection
import MPEGTS
import MediaCore
import NIOCore
import Presentation
import Segmenting

/// Writes packed audio: frames after an ID3 tag with their time, for renditions that accompany transport streams.
struct PackedAudioMuxer: SegmentMuxer {
    private var current: (configuration: CodecConfiguration, audio: ElementaryAudio)?
    private var cipher: TransportCipher?

    mutating func mux(
        _ contents: SegmentContents,
        key: PeriodKey?,
        into _: consuming ByteBuffer = ByteBuffer()
    ) throws -> MuxedSegment {
        let cut = contents.cut
        guard let configuration = cut.configuration else { throw SegmentMuxerError.notCarried }
        if current?.configuration != configuration {
            guard let audio = ElementaryAudio(configuration) else { throw SegmentMuxerError.notCarried }
            current = (configuration, audio)
        }
        guard let current else { throw SegmentMuxerError.notCarried }
        cipher = try TransportCipher.cipher(for: key, after: cipher)
        let units = try current.audio.accessUnits(of: cut, cipher)
        // A tag goes between frames, before the first that is heard when it is due or later (RFC 8216bis § 3.1.3).
        var tags = (contents.tags ?? []).map { (time: (cut.start.media + $0.delay(in: cut)).ticks, $0.bytes) }[...]
        var frames: [ByteBuffer] = []
        for unit in units {
            while let tag = tags.first, tag.time <= unit.presentationTime {
                frames.append(tag.1)
                tags.removeFirst()
            }
            frames.append(unit.payload)
        }
        let segment = PackedAudioSegment(
            presentationTime: units.first?.presentationTime ?? 0,
            audioSetup: key == nil ? nil : current.audio.setup,
            frames: frames + tags.map(\.1)
        )
        return MuxedSegment(bytes: segment.encode())
    }
}
