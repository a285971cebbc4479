import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite(.serialized, .timeLimit(.minutes(5)))
struct AudioTranscoderTests {
    private struct Transcoded {
        var source: [PacketInfo]
        var track: InputTrack
        var packets: [PacketInfo]
        var payloads: [[UInt8]]
    }

    private func transcoded(_ file: String, _ transcoding: AudioTranscoding = .all) async throws -> Transcoded {
        let record = await read(file, options: .init(audioTranscoding: transcoding))
        #expect(record.openings.count == 1, "it is known at once what it will be")
        let track = try #require(record.openings.last?.first { $0.transcodedFrom != nil })
        return transcoded(record, track)
    }

    private func transcoded(_ record: Recorder.Record, _ track: InputTrack) -> Transcoded {
        Transcoded(
            source: record.packets(of: track.transcodedFrom ?? -1),
            track: track,
            packets: record.packets(of: track.index),
            payloads: zip(record.packets, record.payloads).filter { $0.0.trackIndex == track.index }.map(\.1)
        )
    }

    /// All channels together, as FFmpeg decodes them.
    private func pulses(_ file: String) async throws -> [Float] {
        try await ffmpeg("-i", file, "-ac", "1", "-c:a", "pcm_f32le", "-f", "f32le", "\(file).pcm")
        let data = try Data(contentsOf: URL(filePath: "\(file).pcm"))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// ADTS, which tells no decoder to leave anything out (ISO/IEC 14496-3 § 1.A.3.2).
    private func write(_ transcoded: Transcoded, to file: String) throws {
        let config = transcoded.track.header
        let (rate, channels) = (config[0] << 1 & 0xE | config[1] >> 7, config[1] >> 3 & 0xF)
        var bytes: [UInt8] = []
        for payload in transcoded.payloads {
            let count = payload.count + 7
            bytes += [0xFF, 0xF1, 0x40 | rate << 2 | channels >> 2, channels << 6 | UInt8(count >> 11)]
            bytes += [UInt8(count >> 3 & 0xFF), UInt8(count & 7) << 5 | 0x1F, 0xFC] + payload
        }
        try Data(bytes).write(to: URL(filePath: file))
    }

    /// The number of samples by which `audio` comes after `other`, at the greatest correlation.
    private func delay(of audio: [Float], after other: [Float]) -> Int {
        let (start, count, most) = (24_000, 1500, 1400)
        var best = (delay: 0, value: Double.zero)
        audio.withUnsafeBufferPointer { audio in
            other.withUnsafeBufferPointer { other in
                for delay in -most...most {
                    var sum: Float = 0
                    for index in start..<start + count { sum += other[index] * audio[index + delay] }
                    if Double(sum) > best.value { best = (delay, Double(sum)) }
                }
            }
        }
        return best.delay
    }

    @Test(arguments: [
        ("mp2", 48_000, 2, "ts"), ("mp2", 44_100, 2, "ts"), ("ac3", 48_000, 6, "ts"), ("eac3", 48_000, 2, "ts"),
        ("libmp3lame", 48_000, 1, "ts"), ("libopus", 48_000, 2, "ts"), ("flac", 44_100, 2, "mp4"),
        ("alac", 48_000, 2, "mp4"), ("mp2", 24_000, 1, "mkv"),
    ])
    func audioStaysWhereItIs(encoder: String, sampleRate: Int, channels: Int, container: String) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/feed.\(container)"
            try await CodecTests.makeAudio(file, encoder: encoder, sampleRate: sampleRate, channels: channels)
            let result = try await transcoded(file)
            #expect(result.track.codec == .aac)
            try write(result, to: "\(folder)/out.aac")
            // All positions on the clock of the source's samples.
            let rate = Int64(sampleRate)
            func position(_ info: PacketInfo?) -> Int64 {
                MediaTime(ticks: info?.presentationTimestamp ?? .min).value(timescale: rate)
            }
            let (before, after) = try await (pulses(file), pulses("\(folder)/out.aac"))
            let shift = Int(position(result.packets.first) - position(result.source.first))
            let found = delay(of: after, after: before) + shift
            #expect(abs(found) <= 1, "\(encoder) \(sampleRate): \(found) samples, \(shift)")

            // Frames follow each other on the grid.
            for (index, packet) in result.packets.enumerated() {
                let frame = position(result.packets.first) / 1024 + Int64(index)
                #expect(abs(position(packet) - frame * 1024) <= 1)
                #expect(packet.duration > 0)
            }
            #expect(result.payloads.allSatisfy { !$0.isEmpty })
            let length = position(result.packets.last) + 1024 - position(result.packets.first)
            #expect(length - Int64(before.count) >= -1024 && length - Int64(before.count) < 3 * 1024, "\(length)")
        }
    }

    @Test func twoThatBeginApartCutAtTheSameTimes() async throws {
        try await withTemporaryFolder { folder in
            try await CodecTests.makeAudio("\(folder)/feed.ts", encoder: "mp2", sampleRate: 48_000)
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/feed.ts"))
            // Later by a few PES packets, behind the program map.
            try (bytes.prefix(188 * 3) + bytes.dropFirst(188 * 90)).write(to: URL(filePath: "\(folder)/late.ts"))
            let (early, late) = try await (transcoded("\(folder)/feed.ts"), transcoded("\(folder)/late.ts"))
            let (all, some) = (
                Set(early.packets.map(\.presentationTimestamp)), late.packets.map(\.presentationTimestamp)
            )
            #expect(some.count > 30 && some.count < all.count - 4)
            #expect(all.isSuperset(of: some))
        }
    }

    @Test func aTrackBesideAnotherIsToldWithItsLanguage() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg(
                "-i",
                sample,
                "-map",
                "0",
                "-c",
                "copy",
                "-c:a:1",
                "mp2",
                "-disposition:a:1",
                "visual_impaired",
                "\(folder)/feed.ts"
            )
            let record = await read("\(folder)/feed.ts", options: .init(audioTranscoding: .automatic))
            let tracks = try #require(record.openings.first)
            #expect(record.openings.count == 1)
            #expect(tracks.map(\.codec) == [.h264, .aac, .mp2, .aac])
            #expect(tracks.map(\.transcodedFrom) == [nil, nil, nil, 2])
            #expect(tracks[3].language == "de" && tracks[3].isAudioDescription && tracks[3].program == 1)
            #expect(tracks[3].header.prefix(2) == [0x11, 0x90], "AudioSpecificConfig: LC, 48 kHz, stereo")
            #expect(!tracks.dropLast().map(\.index).contains(tracks[3].index))
            let result = transcoded(record, tracks[3])
            #expect(record.span(of: tracks[3].index) != nil)
            // The audio of 8 s, and no packet of the others is missing.
            #expect(abs(result.packets.count - 375) <= 2)
            #expect(record.course(of: 0) == .init(start: 126_000, steps: [3600], count: 200))
        }
    }

    @Test(arguments: [(900, 24), (90_000, 1000), (-450_000, 5000)] as [(Int64, Int64)])
    func aHoleOrAJumpIsWhereItIsInTheSource(ticks: Int64, milliseconds: Int64) async throws {
        let frames = try await mp2Frames()
        let transcoder = try AudioTranscoder(InputTrack(index: 0, kind: .audio, codec: .mp2), modulus: 1 << 33)
        var events: [AudioTranscoder.Event] = []
        // Where frames 40 and later are moved; less than half a frame changes nothing.
        for (index, frame) in frames.enumerated() {
            let time = Int64(index) * 2160 + 900_000 + (index < 40 ? 0 : ticks)
            let info = PacketInfo(trackIndex: 0, presentationTimestamp: time, decodeTimestamp: time)
            events += transcoder.packetRead(info, payload: frame.span.bytes)
        }
        events += transcoder.finish()
        let times = events.compactMap { event in
            if case .frame(let info, _) = event { info.presentationTimestamp } else { nil }
        }
        #expect(times.allSatisfy { $0 % 1920 == 0 })
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        let jumps = steps.filter { $0 != 1920 }
        #expect(jumps.count == (ticks.magnitude < 1080 ? 0 : 1))
        if let jump = jumps.first { #expect(abs(jump - 1920 - ticks) <= 1920) }
        let end = Int64(frames.count) * 2160 + 900_000 + (ticks.magnitude < 1080 ? 0 : ticks)
        #expect(0..<1920 ~= (times.last ?? 0) + 1920 - end)
    }

    @Test func aFrameThatCannotBeDecodedCostsItself() async throws {
        let (track, packets) = try await withTemporaryFolder { folder in
            try await CodecTests.makeAudio("\(folder)/feed.mkv", encoder: "flac", sampleRate: 48_000)
            let record = await read("\(folder)/feed.mkv")
            return (try #require(record.openings.first?.first), Array(zip(record.packets, record.payloads)))
        }
        let transcoder = try AudioTranscoder(track, modulus: nil)
        var (times, notices): ([Int64], [InputNotice]) = ([], [])
        for (index, (info, payload)) in packets.enumerated() {
            let bytes = index == 10 ? [UInt8](repeating: 7, count: 100) : payload
            for event in transcoder.packetRead(info, payload: bytes.span.bytes) {
                switch event {
                case .frame(let info, _): times.append(info.presentationTimestamp ?? -1)
                case .notice(let notice): notices.append(notice)
                case .header: break
                }
            }
        }
        #expect(packets.count == 21)
        #expect(notices == [.undecodableFrame(track: 0)])
        #expect(times.count > 80 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1920 })
    }

    @Test func anotherKindOfAudioIsAnnouncedBeforeItsFirstFrame() async throws {
        try await withTemporaryFolder { folder in
            for (name, channels) in [("stereo", 2), ("surround", 6)] {
                try await CodecTests.makeAudio(
                    "\(folder)/\(name).ts",
                    encoder: "ac3",
                    sampleRate: 48_000,
                    channels: channels
                )
            }
            let parts = try ["stereo", "surround"].map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).ts")) }
            try Data(parts.joined()).write(to: URL(filePath: "\(folder)/both.ts"))
            let record = await read("\(folder)/both.ts", options: .init(audioTranscoding: .automatic))
            #expect(record.openings.map { $0.last?.header[1] } == [0x90, 0xB0])
            #expect(record.notices == [.programs(carried: [1], read: [1])])
            #expect(record.packets(of: record.openings[0].last?.index ?? 0).count > 150)
        }
    }

    @Test func whatAACCannotCarryIsRefused() async throws {
        try await withTemporaryFolder { folder in
            try await Program.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "anoisesrc=d=1:r=48000", "-af",
                    "aformat=channel_layouts=quad(side)", "-c:a", "ac3", "\(folder)/quad.ts",
                ]
            )
            let record = await read("\(folder)/quad.ts", options: .init(audioTranscoding: .all))
            #expect(record.openings.map { $0.map(\.codec) } == [[.ac3]])
            let reason = "AAC has no channel configuration for these 4 channels"
            #expect(record.notices.contains(.notTranscoded(track: 0, reason: reason)))
            #expect(!record.packets.isEmpty)
        }
    }

    /// Stereo at 48 kHz, two seconds.
    private func mp2Frames() async throws -> [[UInt8]] {
        try await withTemporaryFolder { folder in
            try await CodecTests.makeAudio("\(folder)/feed.mkv", encoder: "mp2", sampleRate: 48_000)
            return await read("\(folder)/feed.mkv").payloads
        }
    }
}
