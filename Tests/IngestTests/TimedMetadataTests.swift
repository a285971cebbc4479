import Foundation
import MPEGTS
import MediaCore
import NIOCore
import Testing

@testable import Ingest

/// ID3 tags beside the tracks of a transport stream.
@Suite(.timeLimit(.minutes(5)))
struct TimedMetadataTests {
    private static func tag(_ text: String) -> [UInt8] {
        // TXXX in UTF-8 with an empty description (ID3v2.4 native frames § 4.2.6).
        let body: [UInt8] = [3, 0] + Array(text.utf8) + [0]
        let frame = Array("TXXX".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    /// Two seconds of pictures, with a tag every half second.
    private static func stream() throws -> ByteBuffer {
        let pictures = (0..<50 as Range<Int64>).map { index in
            TransportAccessUnit(
                decodeTime: 900_000 + index * 3_600,
                presentationTime: 900_000 + index * 3_600,
                duration: 3_600,
                isRandomAccess: index == 0,
                pieces: [
                    ByteBuffer(bytes: [
                        0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, index == 0 ? 0x65 : 0x41, 0x88, 0x80, 0x10,
                    ])
                ]
            )
        }
        let tags = (0..<4 as Range<Int64>).map { index in
            TransportAccessUnit(
                decodeTime: 900_000 + index * 45_000,
                presentationTime: 900_000 + index * 45_000,
                duration: 0,
                isRandomAccess: true,
                pieces: [ByteBuffer(bytes: tag("cue \(index)"))]
            )
        }
        let program = try TransportProgram([ElementaryStream(.h264), ElementaryStream(.timedID3)])
        return TransportStreamSegment(program, units: [pictures, tags]).encode().bytes
    }

    @Test func tagsAreDeliveredWholeWithTheirTimes() async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/tags.ts"
            try Data(Self.stream().readableBytesView).write(to: URL(filePath: file))
            let record = await read(file)
            #expect(record.tags.map(\.bytes) == (0..<4).map { Self.tag("cue \($0)") })
            #expect(record.tags.map(\.time) == [900_000, 945_000, 990_000, 1_035_000])
            #expect(record.tags.allSatisfy { $0.program == 1 })
            #expect(record.notices.contains(.metadata(program: 1)))
            #expect(record.openings.map { $0.map(\.codec) } == [[.h264]])
        }
    }
}
