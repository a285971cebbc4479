import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Keys that change with each slot, under players that read parts.
@Suite(.timeLimit(.minutes(3))) struct LowLatencyKeyTests {
    /// Segments of each rendition whose parts are decrypted.
    private static let decryptedSegments = 3

    /// Each part is decrypted as soon as it is there, by the key of its slot alone.
    @Test func eachPartIsDecrypted() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess([
            "--segment-duration", "2", "--part-duration", "0.5", "--window", "60", "--encryption", "sample-aes",
            "--key-rotation", "2", "--input", "udp://127.0.0.1:\(port)",
        ])
        let sender = try WatchedSender(port: port)
        let audio = try await PartReader(packager, "audio-en")
        async let following = audio.following(22)
        let video = try await PartReader(packager, "video-360p").following(22)
        let listened = try await following
        for reader in [video, listened] {
            let log = "\(reader.rendition)\n\(packager.program.errors)"
            #expect(reader.earlyAnswers.isEmpty && reader.changes.isEmpty, "\(log)")
            sender.expectNothingMissing(reader.parts.values.allSatisfy { !$0.line.isGap }, "\(log)")
            #expect(reader.playlist.countOfKeys >= 3, "\(reader.playlist.render())\(log)")
            let first = reader.next.segment - Int64(reader.playlist.segments.count)
            var count = 0
            for (offset, segment) in reader.playlist.segments.enumerated().reversed() where !segment.isGap {
                let parts = reader.parts(of: first + Int64(offset)).compactMap(\.media)
                guard !parts.isEmpty, count < Self.decryptedSegments else { continue }
                try await expectDecryption(of: parts, segment, in: reader)
                count += 1
            }
            #expect(count == Self.decryptedSegments, "\(reader.playlist.render())\(log)")
        }
        sender.program.kill()
        await packager.end()
    }

    /// Expects that parts end to end are the feed's frames, with each part more of them.
    private func expectDecryption(
        of parts: [Data],
        _ segment: MediaPlaylist.Segment,
        in reader: PartReader
    ) async throws {
        let directory = try TemporaryDirectory()
        let isVideo = reader.rendition.hasPrefix("video")
        let source =
            isVideo
            ? try await Frames.ofSample()
            : try await Frames.coded(["-i", Repository.feed], "a:0", filter: "aac_adtstoasc").map(\.checksum)
        let uri = try #require(segment.keys.identity?.uri)
        let key = try await HTTP.body(reader.packager.url(uri)).hexadecimal
        var media = try await HTTP.body(reader.packager.url(try #require(segment.map?.uri)))
        var count = 0
        for (index, part) in parts.enumerated() {
            media += part
            let path = try directory.write(media, to: "\(index).mp4")
            let input = EncryptedFile(path: path, key: key, keyID: "").input
            let frames =
                isVideo ? try await Frames.checksums(input) : try await Frames.coded(input, "a:0").map(\.checksum)
            #expect(frames.count > count, "part \(index) of \(segment.uri)")
            count = frames.count
            // Of the last pictures in decoding order, those to be shown first are in the next part.
            let whole = Array(isVideo && index < parts.count - 1 ? frames.dropLast(4) : frames[...])
            #expect(Frames.isRun(whole, of: source), "part \(index) of \(segment.uri): \(frames.count) frames")
        }
    }
}
