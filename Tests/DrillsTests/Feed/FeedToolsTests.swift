import Foundation
import Ingest
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Drills

/// Feeds as other demultiplexers and decoders read them.
@Suite struct FeedToolsTests {
    /// Writes a feed to a file that is there during `body`.
    private func withFile<Result>(
        _ received: ReceivedFeed,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString).ts")
        try Data(received.wholeBytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    /// Across a seam and, after 5 s, the wrap.
    private var wrapping: ReceivedFeed {
        get throws {
            try ReceivedFeed(clock: .starting(at: Timestamps.transportStreamModulus - 5 * 90_000), until: .seconds(10))
        }
    }

    @Test func decoderFindsNothingWrong() async throws {
        try await withFile(try ReceivedFeed(until: .seconds(10))) { path in
            let arguments = ["-nostdin", "-v", "warning", "-i", path, "-map", "0", "-f", "null", "-"]
            let ffmpeg = try Program("ffmpeg", arguments)
            #expect(await ffmpeg.exitCode() == 0)
            #expect(ffmpeg.errors.isEmpty, "\(ffmpeg.errors)")
        }
    }

    @Test func proberCountsEveryPicture() async throws {
        let received = try ReceivedFeed(clock: .starting(at: 900_000), until: .seconds(10))
        try await withFile(received) { path in
            let output = try await Program.run(
                "ffprobe",
                ["-v", "error", "-select_streams", "v", "-show_entries", "packet=dts", "-of", "csv=p=0", path]
            )
            let decodes = output.split(whereSeparator: \.isNewline).compactMap { Int64($0.prefix { $0 != "," }) }
            #expect(decodes == received.pictures.map(\.decode))
        }
    }

    @Test func readerOfThePackagerGetsEveryUnit() async throws {
        let received = try wrapping
        try await withFile(received) { path in
            let recorder = PacketRecorder()
            let reader = InputReader(url: path, consumer: recorder)
            reader.start()
            await reader.finished()
            let (tracks, packets) = recorder.recorded
            #expect(tracks.map(\.codec) == [.h264, .aac, .aac])
            #expect(tracks.map(\.language) == [nil, "en", "de"])
            for (index, pid) in ([Sample.video] + Sample.audio).enumerated() {
                let units = received.units[pid] ?? []
                let packets = packets.filter { $0.trackIndex.value == index }
                #expect(packets.map(\.decodeTimestamp) == units.map(\.decode))
                #expect(packets.map(\.presentationTimestamp) == units.map(\.presentation))
                #expect(!packets.contains { $0.isCorrupt })
            }
        }
    }

    @Test func changedConfigurationIsDecoded() async throws {
        let other = FileManager.default.temporaryDirectory.appending(path: "other-\(UUID().uuidString).ts").path
        defer { try? FileManager.default.removeItem(atPath: other) }
        try await Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi", "-i",
                "sine=sample_rate=48000", "-t", "2", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a",
                "aac", other,
            ]
        )
        let alternates = [other: try TransportStreamFeed(path: other)]
        let fault = ScheduledFault(.configurationChange(samplePath: other), at: .seconds(2), for: .seconds(3))
        let items = try items([fault], until: .seconds(8), alternates: alternates)
        #expect(items.received.continuityErrors.isEmpty)
        let steps = items.received.steps(\.decode, of: Sample.video)
        // The other sample has no reordering: its first picture is decoded two frames later. Back again, the two pictures
        // that would be decoded after the first one of the sample are left out.
        #expect(steps.filter { $0 != 3600 } == [10_800])
        // Each change has its own version of the program map, and the old ones are gone.
        let maps = items.received.packets.filter { $0.packet.pid == 0x1000 }
            .compactMap { $0.packet.payload.map { $0.dropFirst(6).first.map { $0 >> 1 & 31 } } }
        #expect(maps.compactMap(\.self) == maps.compactMap(\.self).sorted())
        #expect(Set(maps) == [0, 1, 2])
        try await withFile(items.received) { path in
            let output = try await Program.run(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "v", "-show_entries", "frame=width,pict_type", "-of", "csv=p=0",
                    path,
                ]
            )
            var widths: [Substring] = []
            for line in output.split(separator: "\n") {
                let width = line.prefix { $0 != "," }
                if widths.last != width {
                    widths.append(width)
                    #expect(line.contains("I"))
                }
            }
            #expect(widths == ["640", "320", "640"])
        }
    }
}

/// Records what the packager's reader delivers.
final class PacketRecorder: InputConsumer {
    private let state = Mutex((tracks: [InputTrack](), packets: [PacketInfo]()))

    var recorded: (tracks: [InputTrack], packets: [PacketInfo]) { state.withLock { $0 } }

    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) { state.withLock { $0.tracks = tracks } }
    func inputReceived(_ packet: PacketInfo, payload: RawSpan) { state.withLock { $0.packets.append(packet) } }
    func inputLost(reason: String) {}
    func inputEnded() {}
}
