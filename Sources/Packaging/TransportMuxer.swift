import ContentProtection
import ISOBMFF
import MPEGTS
import MediaCore
import NIOCore
import Presentation
import Segmenting

/// Writes MPEG transport streams: pictures, with the audio if the channel has one video and one audio track.
struct TransportMuxer: SegmentMuxer {
    /// The language of the audio (ISO 639-2).
    private let language: String?
    private var program: Program?
    private var cipher: TransportCipher?

    /// The values that stay the same from segment to segment.
    private struct Program {
        var configurations: [CodecConfiguration]
        var isEncrypted: Bool
        var hasMetadata: Bool
        var tables: TransportProgram
        var pictures: ElementaryPictures
        var audio: ElementaryAudio?
    }

    /// - Parameter language: The language of the audio (BCP 47).
    init(language: String?) {
        self.language = language.map { TrackLanguage(tag: $0).code }.flatMap { $0 == "und" ? nil : $0 }
    }

    mutating func mux(
        _ contents: SegmentContents,
        key: PeriodKey?,
        into room: consuming ByteBuffer = ByteBuffer()
    ) throws -> MuxedSegment {
        let (cut, audio) = (contents.cut, contents.audio)
        cipher = try TransportCipher.cipher(for: key, after: cipher)
        let program = try prepare(
            [cut.configuration, contents.audioConfiguration].compactMap(\.self),
            isEncrypted: key != nil,
            hasMetadata: contents.tags != nil
        )
        self.program = program
        var units = [try program.pictures.accessUnits(of: cut, cipher)]
        if let frames = program.audio {
            units.append(try audio.map { try frames.accessUnits(of: $0, cipher) } ?? [])
        }
        if let tags = contents.tags { units.append(tags.map { $0.accessUnit(in: cut) }) }
        let (bytes, pictureByteCount) = TransportStreamSegment(program.tables, units: units).encode(into: room)
        return MuxedSegment(
            bytes: bytes,
            iFrame: cut.startsWithPicture ? pictureByteCount.map { 0..<$0 } : nil
        )
    }

    private func prepare(
        _ configurations: [CodecConfiguration],
        isEncrypted: Bool,
        hasMetadata: Bool
    ) throws -> Program {
        if let program, program.configurations == configurations, program.isEncrypted == isEncrypted,
            program.hasMetadata == hasMetadata
        {
            return program
        }
        guard let first = configurations.first, let pictures = ElementaryPictures(first) else {
            throw SegmentMuxerError.notCarried
        }
        let audio = configurations.dropFirst().first.flatMap(ElementaryAudio.init)
        // Declared audio must not be left out silently.
        guard audio != nil || configurations.count == 1 else { throw SegmentMuxerError.notCarried }
        var streams = [ElementaryStream(pictures.kind, isEncrypted: isEncrypted)]
        if let audio {
            streams.append(
                ElementaryStream(
                    audio.kind,
                    language: language,
                    isEncrypted: isEncrypted && audio.setup != nil,
                    audioSetup: audio.setup
                )
            )
        }
        if hasMetadata { streams.append(ElementaryStream(.timedID3)) }
        return Program(
            configurations: configurations,
            isEncrypted: isEncrypted,
            hasMetadata: hasMetadata,
            tables: try TransportProgram(streams),
            pictures: pictures,
            audio: audio
        )
    }
}

extension TimedTag {
    /// The tag on the media timeline of the pictures that it goes with.
    fileprivate func accessUnit(in cut: CutSegment) -> TransportAccessUnit {
        let time = (cut.start.media + delay(in: cut)).ticks
        return TransportAccessUnit(
            decodeTime: time,
            presentationTime: time,
            duration: 0,
            isRandomAccess: true,
            pieces: [bytes]
        )
    }
}
