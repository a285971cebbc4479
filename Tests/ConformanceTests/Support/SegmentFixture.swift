import ISOBMFF
import MPEGTS
import MediaCore
import NIOCore
import Playlists

@testable import Conformance

/// Segments of 4 s at 25 Hz, correct unless a test says otherwise.
enum SegmentFixture {
    static let first = MediaSequenceNumber(448_815_600)

    static func initialization(_ configuration: CodecConfiguration = .avc(avc)) -> ByteBuffer {
        InitializationSection(configuration: configuration, timescale: 90_000).encode()
    }

    static func samples(_ count: Int = 100, duration: UInt32 = 3600, startsWithSync: Bool = true) -> [FragmentSample] {
        (0..<count).map { index in
            FragmentSample(
                duration: duration,
                isSync: index > 0 || startsWithSync,
                payload: ByteBuffer(repeating: UInt8(truncatingIfNeeded: index), count: 10)
            )
        }
    }

    /// The segment of a slot, perhaps `late` ticks after its start.
    static func fragments(_ index: Int64 = 0, late: Int64 = 0, _ samples: [FragmentSample] = samples()) -> ByteBuffer {
        MovieFragment(
            sequenceNumber: UInt32(index) + 1,
            baseMediaDecodeTime: UInt64((first.value + index) * 360_000 + late),
            samples: samples,
            startsSegment: true
        ).encode().bytes
    }

    static func transportStream(_ index: Int64 = 0, late: Int64 = 0, startsWithSync: Bool = true) throws -> ByteBuffer {
        let start = index * 360_000 + late
        let pictures = (0..<100).map { picture in
            unit(start + picture * 3600, offset: 7200, isRandomAccess: picture == 0 && startsWithSync)
        }
        let program = try TransportProgram([ElementaryStream(.h264)])
        return TransportStreamSegment(program, units: [pictures]).encode().bytes
    }

    private static func unit(_ time: Int64, offset: Int64, isRandomAccess: Bool) -> TransportAccessUnit {
        TransportAccessUnit(
            decodeTime: time,
            presentationTime: time + offset,
            duration: 3600,
            isRandomAccess: isRandomAccess,
            pieces: [ByteBuffer(repeating: 0xAA, count: 100)]
        )
    }

    static func packedAudio(_ index: Int64 = 0, late: Int64 = 0) -> ByteBuffer {
        PackedAudioSegment(
            presentationTime: index * 360_000 + late,
            frames: [ByteBuffer(repeating: 0xFF, count: 20)]
        ).encode()
    }

    static func listed(
        _ index: Int64 = 0,
        uri: String? = nil,
        seconds: Int64 = 4,
        dateOffset: Int64 = 0,
        discontinuitySequence: Int = 0,
        key: EncryptionKey? = nil,
        map: MediaInitialization? = nil
    ) -> SegmentRules.Listed {
        let number = first.advanced(by: index)
        let segment = MediaPlaylist.Segment(
            uri: uri ?? "\(number).m4s",
            duration: SegmentDuration(value: seconds, timescale: 1),
            programDateTime: MediaTime(seconds: number.value * 4) + MediaTime(milliseconds: dateOffset),
            keys: key.map { [$0] } ?? [],
            map: map
        )
        return SegmentRules.Listed(
            number: number,
            discontinuitySequence: discontinuitySequence,
            segment: segment
        )
    }

    /// 640 × 360, High profile, level 3.0.
    private static let avc = AVCConfiguration(
        sequenceParameterSets: [
            [
                0x67, 0x64, 0x00, 0x1E, 0xAC, 0xD9, 0x40, 0xA0, 0x2F, 0xF9, 0x70, 0x16, 0xA0, 0x20, 0x20, 0x28, 0x00,
                0x00,
                0x03, 0x00, 0x08, 0x00, 0x00, 0x03, 0x01, 0x90, 0x78, 0xB1, 0x6C, 0xB0,
            ]
        ],
        pictureParameterSets: [[0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0]],
        profile: 0x64,
        compatibility: 0,
        level: 0x1E,
        picture: PictureFormat(width: 640, height: 360)
    )
}
