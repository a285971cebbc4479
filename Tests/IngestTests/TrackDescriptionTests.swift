import Foundation
import MPEGTS
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Facts that containers tell of a track beside its codec.
@Suite(.timeLimit(.minutes(5)))
struct TrackDescriptionTests {
    @Test func dolbyVisionIsDescribedByItsDescriptor() async throws {
        // Dolby Vision Streams within the MPEG-2 Transport Stream Format § 3.2: profile 8, level 6, RPU and base layer.
        let descriptor: [UInt8] = [0xB0, 5, 1, 0, 8 << 1, 6 << 3 | 0b101, 4 << 4]
        var writer = TransportStreamWriter(streamType: 0x24, descriptors: descriptor)
        for time in 0..<50 as Range<Int64> {
            writer.writePES(
                [0, 0, 1, 0x46, 1, 0x50, 0, 0, 1, 0x26, 1, 0xAF, 9],
                timestamps: (time * 3600, time * 3600)
            )
        }
        let bytes = writer.bytes
        try await withTemporaryFolder { folder in
            try Data(bytes).write(to: URL(filePath: "\(folder)/feed.ts"))
            let record = await read("\(folder)/feed.ts")
            #expect(
                record.openings.first?.first?.dolbyVision
                    == DolbyVisionConfiguration(profile: 8, level: 6, compatibilityID: 4)
            )
        }
    }

    @Test(
        arguments: [
            (0x11, .unsupported("aac_latm")), (0x2D, .unsupported("mpegh_3d_audio")),
            (0x2E, .unsupported("mpegh_3d_audio")), (0x87, .eac3),
        ] as [(UInt8, InputTrack.Codec)]
    )
    func audioThatLibavformatLeavesOpenIsToldByItsStreamType(type: UInt8, codec: InputTrack.Codec) async throws {
        var writer = TransportStreamWriter(others: [.init(type: type, pid: 0x101)])
        for time in 0..<50 as Range<Int64> {
            writer.writePES([0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 0x88], timestamps: (time * 3600, time * 3600))
        }
        let bytes = writer.bytes
        try await withTemporaryFolder { folder in
            try Data(bytes).write(to: URL(filePath: "\(folder)/feed.ts"))
            let record = await read("\(folder)/feed.ts")
            #expect(record.openings.map { $0.map(\.codec) } == [[.h264, codec]])
            #expect(record.packets.count == 50)
        }
    }

    /// Reads a second of the sample's tracks that FFmpeg has copied into a file of this name, with these options.
    private func tracks(in name: String, _ options: String...) async throws -> [InputTrack]? {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/\(name)"
            try await Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", sample, "-t", "1", "-c", "copy"] + options + [file]
            )
            return await read(file).openings.first
        }
    }

    @Test(arguments: [(100, Ratio(100, 1)), (400, nil)])
    func anImplausibleFrameRateIsNotTold(pictures: Int, rate: Ratio?) async throws {
        try await withTemporaryFolder { folder in
            try await CodecTests.makePictures("\(folder)/feed.mp4", ["libx264", "-r", "\(pictures)"])
            #expect(await read("\(folder)/feed.mp4").openings.first?.map(\.frameRate) == [rate])
        }
    }

    @Test(arguments: [0, 90, 180, 270])
    func rotationIsTold(degrees: Int) async throws {
        // FFmpeg 5.1 counts its tag counterclockwise.
        let tracks = try await tracks(in: "turned.mp4", "-map", "0:v", "-metadata:s:v", "rotate=\(degrees)")
        #expect(tracks?.map(\.rotation) == [PictureRotation(rawValue: (360 - degrees) % 360)])
    }

    @Test(arguments: ["ts", "mkv"])
    func audioDescriptionIsTold(container: String) async throws {
        let tracks = try await tracks(in: "feed.\(container)", "-map", "0", "-disposition:a:1", "visual_impaired")
        #expect(tracks?.map(\.isAudioDescription) == [false, false, true])
    }
}
