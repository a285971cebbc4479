import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Codecs

struct TrackReaderTests {
    // x264, CABAC, 25 Hz.
    private let parameterSets: [[UInt8]] = [
        [
            0x67, 0x64, 0x00, 0x0C, 0xAC, 0xD9, 0x41, 0x41, 0x9F, 0x9F, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00,
            0x00,
            0x03, 0x03, 0x20, 0xF1, 0x42, 0x99, 0x60,
        ],
        [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0],
    ]
    private let idr: [UInt8] = [0x65, 0x88, 0x84, 0x02, 0xFF, 0xD1, 0xB7, 0x6D, 0x62, 0x78, 0xAD]

    private func annexB(_ nalUnits: [[UInt8]]) -> [UInt8] { nalUnits.flatMap { [0, 0, 0, 1] + $0 } }

    private func delays(_ counts: [Int], step: Int64) throws -> [[Int64]] {
        let track = InputTrack(index: 0, kind: .video, codec: .h264)
        var reader = try #require(try TrackReader(track: track, wantsSubsamples: true))
        // Every second IDR picture has another idr_pic_id, or they would be slices of one.
        var other = idr
        other[2] = 0x82
        return try counts.enumerated().map { index, count in
            let pictures = (0..<count).map { $0 % 2 == 0 ? idr : other }
            let bytes = annexB(pictures.flatMap { parameterSets + [$0] })
            let info = PacketInfo(
                trackIndex: 0,
                presentationTimestamp: nil,
                decodeTimestamp: Int64(index) * step
            )
            return try reader.read(info, bytes.span.bytes).map(\.delay.ticks)
        }
    }

    @Test func aPictureAPacketIsNotDelayed() throws {
        #expect(try delays([1, 1, 1], step: 3600) == [[0], [0], [0]])
    }

    @Test func furtherPicturesOfAPacketFollowAtTheMeasuredDistance() throws {
        // 25 Hz by the parameter sets, until the second packet tells that it is 20 Hz.
        #expect(try delays([2, 2, 2], step: 9000) == [[0, 3600], [0, 4500], [0, 4500]])
        #expect(try delays([3, 3], step: 10_800) == [[0, 3600, 7200], [0, 3600, 7200]])
    }

    /// Any number of messages between two slices of a picture: each of them is looked at once.
    @Test(.timeLimit(.minutes(2))) func messagesBetweenSlicesCostNoMoreThanTheirNumber() throws {
        let track = InputTrack(index: 0, kind: .video, codec: .h264)
        var reader = try #require(try TrackReader(track: track, wantsSubsamples: false))
        let messages = [UInt8]((0..<600_000).map { _ in [0, 0, 1, 0x06] }.joined())
        let packet = annexB(parameterSets + [idr]) + messages + annexB([idr])
        let info = PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: 0)
        let units = try reader.read(info, packet.span.bytes)
        #expect(units.count == 1 && units[0].payload.readableBytes > 600_000 * 5)
    }

    /// A packet whose configuration changes all the time is not copied as often.
    @Test func changesOfConfigurationAreNotCopiesOfThePacket() throws {
        let track = InputTrack(index: 0, kind: .audio, codec: .aac)
        var reader = try #require(try TrackReader(track: track, wantsSubsamples: false))
        // 48 kHz; a configuration counts if another frame has it too.
        func frame(channels: UInt8) -> [UInt8] { [0xFF, 0xF1, 0x4C, channels << 6, 0x01, 0x1F, 0xFC, 0x21] }
        let packet = [UInt8](
            (0..<2000).map { index in frame(channels: 1 + UInt8(index % 2)) + frame(channels: 1 + UInt8(index % 2)) }
                .joined()
        )
        let info = PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: 0)
        let units = try reader.read(info, packet.span.bytes)
        #expect(units.count == 4000 && Set(units.map(\.configuration)).count == 2)
        #expect(units.reduce(0) { $0 + $1.payload.storageCapacity } < 10 * packet.count)
    }

    @Test func aPacketOfGarbageCostsNoMoreThanMedia() throws {
        let track = InputTrack(index: 0, kind: .video, codec: .h264)
        var reader = try #require(try TrackReader(track: track, wantsSubsamples: false))
        // A picture, and behind it what looks like the beginning of another one every few bytes.
        let garbage = (0..<300_000).flatMap { index -> [UInt8] in [0, 0, 1, index % 2 == 0 ? 0x09 : 0x65, 0x88] }
        let packet = annexB(parameterSets + [idr]) + garbage
        let info = PacketInfo(trackIndex: 0, presentationTimestamp: nil, decodeTimestamp: 0)
        let clock = ContinuousClock.now
        let units = try reader.read(info, packet.span.bytes)
        #expect((1...256).contains(units.count))
        #expect(units.reduce(0) { $0 + $1.payload.storageCapacity } < 1 << 20)
        #expect(ContinuousClock.now - clock < .seconds(20))
        // What follows is read as ever.
        #expect(try reader.read(info, annexB(parameterSets + [idr]).span.bytes).count == 1)
    }
}
