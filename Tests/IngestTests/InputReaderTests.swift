import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5)))
struct InputReaderTests {
    private let sampleTracks = [
        InputTrack(index: 0, kind: .video, codec: .h264),
        InputTrack(index: 1, kind: .audio, codec: .aac, language: "en"),
        InputTrack(index: 2, kind: .audio, codec: .aac, language: "de"),
    ].map { track in
        var track = track
        track.program = 1
        return track
    }

    @Test func aTransportStreamIsReadToItsEnd() async {
        let record = await read(sample)
        #expect(record.openings == [sampleTracks])
        #expect(record.modulus == 1 << 33)
        #expect(record.losses.isEmpty)
        // ffprobe -show_packets -fflags noparse+nofillin counts and states the same.
        #expect(record.course(of: 0) == .init(start: 126_000, steps: [3600], count: 200))
        #expect(record.span(of: 1) == .init(start: 133_200, length: 375 * 1920))
        #expect(record.span(of: 2) == .init(start: 133_200, length: 375 * 1920))
        #expect(record.packets(of: 0).prefix(4).map(\.presentationTimestamp) == [133_200, 144_000, 136_800, 140_400])
        #expect(record.packets(of: 1).allSatisfy { $0.presentationTimestamp == $0.decodeTimestamp })
        #expect(record.packets.allSatisfy { !$0.isCorrupt })
        #expect(record.byteCount == 646_194)
    }

    @Test func aLoopedTransportStreamRunsOnWithoutASeam() async {
        let record = await read(sample, options: .init(isLooping: true)) { $0.packets.count >= 3 * 246 }
        #expect(record.openings == [sampleTracks])
        #expect(!record.isEnded)
        #expect(record.losses.isEmpty)
        #expect(record.course(of: 0) == .init(start: 126_000, steps: [3600], count: 600))
        #expect(record.span(of: 1) == .init(start: 133_200, length: 3 * 375 * 1920))
        #expect(record.span(of: 2) == .init(start: 133_200, length: 3 * 375 * 1920))
        #expect(record.packets(of: 0)[400].presentationTimestamp == 1_573_200)
    }

    @Test(arguments: ["mp4", "mkv", "flv"])
    func otherContainersAreReadAndLooped(container: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.\(container)"
            try await ffmpeg("-i", sample, "-map", "0:v", "-map", "0:a:0", "-c", "copy", file)
            let record = await read(file, options: .init(isLooping: true)) { $0.packets.count >= 2 * 575 }
            let tracks = try #require(record.openings.first)
            #expect(record.openings.count == 1)
            #expect(tracks.map(\.codec) == [.h264, .aac])
            #expect(tracks[0].header.first == 1, "avcC")
            #expect(tracks[0].frameRate == Ratio(25, 1))
            #expect(tracks[1].header.prefix(2) == [0x11, 0x90], "AudioSpecificConfig: LC, 48 kHz, stereo")
            #expect(record.modulus == (container == "flv" ? 90 << 32 : nil))
            let video = record.packets(of: 0)
            #expect(video.count == 400)
            let times = video.compactMap(\.presentationTimestamp)
            // Behind milliseconds, exact audio ends up to two of them later, and the feed is begun again where it ends.
            let length = times[200] - times[0]
            #expect((720_000...(container == "mp4" ? 720_000 : 720_180)).contains(length), "\(length)")
            #expect(record.packets(of: 1).count == 750)
        }
    }

    @Test func timestampsWrapAsTheFeedCountsThem() async throws {
        try await withTemporaryFolder { folder in
            // 2^33 ticks are 95443.718 s: the wrap comes 2.3 s after the start.
            try await ffmpeg("-i", sample, "-map", "0", "-c", "copy", "-output_ts_offset", "95440", "\(folder)/wrap.ts")
            let record = await read("\(folder)/wrap.ts")
            let start: Int64 = 95_441_320 * 90
            #expect(record.course(of: 0) == .init(start: start, steps: [3600], count: 200))
            #expect(record.span(of: 1) == .init(start: start + 7_200, length: 720_000))
            let last: Int64 = record.packets.last?.presentationTimestamp ?? .max
            #expect(last < 600_000)
            let times: [Int64] = record.packets.map { $0.presentationTimestamp ?? -1 }
            let cycle: Range<Int64> = 0..<(1 << 33)
            #expect(times.allSatisfy { cycle.contains($0) })

            let looped = await read("\(folder)/wrap.ts", options: .init(isLooping: true)) {
                $0.packets(of: 0).count == 400
            }
            #expect(looped.course(of: 0) == .init(start: start, steps: [3600], count: 400))
        }
    }

    @Test func tracksThatAppearOrGoAreAnnounced() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg("-i", sample, "-t", "1", "-map", "0", "-c", "copy", "\(folder)/three.ts")
            try await ffmpeg("-i", sample, "-t", "1", "-map", "0:v", "-map", "0:a:0", "-c", "copy", "\(folder)/two.ts")
            let (three, two) = try (contents("\(folder)/three.ts"), contents("\(folder)/two.ts"))
            try (two + three + two).write(to: URL(filePath: "\(folder)/changing.ts"))
            let record = await read("\(folder)/changing.ts")
            #expect(record.openings.map { $0.map(\.language) } == [[nil, "en"], [nil, "en", "de"], [nil, "en"]])
            #expect(record.packets(of: 2).map(\.duration).reduce(0, +) > 40 * 1920)
        }
    }

    @Test func aNewCodecHeaderIsAnnouncedBeforeItsFirstPacket() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg("-i", sample, "-t", "1", "-map", "0:v", "-c", "copy", "\(folder)/a.flv")
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "color=size=64x64:rate=25:duration=0.2",
                "-c:v",
                "libx264",
                "-threads",
                "1",
                "\(folder)/b.flv"
            )
            // The second file without its header (FLV 10.1 annex E.2: 9 bytes, and 4 of PreviousTagSize0).
            try (contents("\(folder)/a.flv") + contents("\(folder)/b.flv").dropFirst(13))
                .write(to: URL(filePath: "\(folder)/both.flv"))
            let record = await read("\(folder)/both.flv")
            #expect(record.openings.count == 2)
            let headers = Set(record.openings.compactMap { $0.first?.header })
            #expect(headers.count == 2)
            #expect(headers.allSatisfy { $0.first == 1 })
            #expect(record.packets.count > 25)
        }
    }

    @Test func lossIsFlaggedWhereItIs() async throws {
        let whole = await read(sample)
        try await withTemporaryFolder { folder in
            var bytes = try contents(sample)
            // The first packet after the middle that carries video (PID 256) and does not start a PES packet.
            let start = try #require(
                stride(from: bytes.count / 376 * 188, to: bytes.count, by: 188).first {
                    bytes[$0 + 1] & 0x5F == 0x01 && bytes[$0 + 2] == 0
                }
            )
            bytes.removeSubrange(start..<start + 188)
            try bytes.write(to: URL(filePath: "\(folder)/loss.ts"))
            let record = await read("\(folder)/loss.ts")
            #expect(record.packets.map(\.decodeTimestamp) == whole.packets.map(\.decodeTimestamp))
            let short = zip(record.payloads, whole.payloads).map { $0 != $1 }
            #expect(record.packets.map(\.isCorrupt) == short)
            #expect(short.count(where: \.self) == 1)
        }
    }

    @Test func aPacedFileIsReadNoFasterThanItRuns() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg("-i", sample, "-t", "0.4", "-map", "0:v", "-c", "copy", "\(folder)/short.ts")
            let clock = ContinuousClock()
            let time = await clock.measure { _ = await read("\(folder)/short.ts", options: .init(isPaced: true)) }
            #expect(time >= .milliseconds(360))
        }
    }

    @Test func aMissingFileIsTriedAgain() async {
        let record = await read("/nowhere/feed.ts") { $0.losses.count == 3 }
        #expect(record.losses == Array(repeating: "open: No such file or directory", count: 3))
        #expect(record.openings.isEmpty)
        #expect(!record.isEnded)
    }

    @Test func aFeedWithoutATrackToReadIsLost() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg(
                "-i",
                sample,
                "-t",
                "0.2",
                "-map",
                "0:a:0",
                "-c:a",
                "s302m",
                "-strict",
                "-2",
                "\(folder)/pcm.ts"
            )
            let record = await read("\(folder)/pcm.ts", options: .init(isLooping: true)) { $0.losses.count == 2 }
            #expect(record.openings.first?.map(\.codec) == [.unsupported("s302m")])
            #expect(record.packets.isEmpty)
        }
    }

    @Test func aTransportStreamWithoutAProgramMapIsLost() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try contents(sample)
            // PIDs 256 to 258 are the tracks; all else goes.
            let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
            let tracks = packets.filter { $0[$0.startIndex + 1] & 0x1F == 1 && $0[$0.startIndex + 2] < 3 }
            try Data(tracks.joined()).write(to: URL(filePath: "\(folder)/unnamed.ts"))
            let record = await read("\(folder)/unnamed.ts", options: .init(isLooping: true)) { $0.losses.count == 2 }
            #expect(record.openings.isEmpty)
            #expect(record.packets.isEmpty)
        }
    }

    @Test(arguments: ["ts", "mp4", "flv"])
    func damageNeitherCrashesNorHangs(container: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.\(container)"
            try await ffmpeg("-i", sample, "-t", "1", "-map", "0:v", "-map", "0:a:0", "-c", "copy", file)
            let original = try contents(file)
            var generator = SeededGenerator(seed: 1)
            for round in 0..<24 {
                var bytes =
                    round % 4 == 0 ? original.prefix(Int.random(in: 0..<original.count, using: &generator)) : original
                for _ in 0..<(round % 4 * 40) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                try bytes.write(to: URL(filePath: file))
                let record = await read(file) { $0.isEnded || !$0.losses.isEmpty }
                #expect(record.isEnded || !record.losses.isEmpty)
            }
            var noise = Data(count: 50_000)
            for index in noise.indices { noise[index] = .random(in: 0...255, using: &generator) }
            try noise.write(to: URL(filePath: file))
            #expect(await !read(file) { !$0.losses.isEmpty }.losses.isEmpty)
        }
    }

    @Test func stoppedBeforeItsStartItDoesNothing() async {
        let recorder = Recorder()
        let reader = InputReader(url: sample, consumer: recorder)
        reader.stop()
        await reader.finished()
        reader.start()
        #expect(recorder.record.openings.isEmpty)
    }

    private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }
}
