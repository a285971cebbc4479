import Foundation
import TestSupport
import Testing

/// Files as FFmpeg writes them, with one timestamp that is wrong: the rest of the programme is published, and at once.
@Suite(.serialized) struct DamagedFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func arguments(_ file: String, _ others: [String] = []) -> [String] {
        ["--input", file, "--no-realtime", "--segment-duration", "2", "--window", "60"]
            + ["--output", directory.file("out")] + others
    }

    /// The sample in another container.
    private func remuxed(_ name: String, audio: String = "0:a:0") async throws -> [UInt8] {
        let file = directory.file("whole-\(name)")
        let tracks = ["-map", "0:v", "-map", audio, "-c", "copy"]
        try await Program.run("ffmpeg", ["-v", "error", "-y", "-i", Repository.feed] + tracks + [file])
        return [UInt8](try Data(contentsOf: URL(filePath: file)))
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: directory.file(name)))
        return directory.file(name)
    }

    /// Eight is audio, nine is video; 2^27 ms are 37 hours: one bit.
    @Test(arguments: [8, 9] as [UInt8])
    func oneFlippedBitInTheFirstTimestampOfAnFLVCostsNothing(kind: UInt8) async throws {
        var bytes = try await remuxed("feed.flv")
        var place = 13
        // Adobe's FLV specification § E.4.1: a tag of media rather than of a header.
        while place + 13 < bytes.count, bytes[place] != kind || bytes[place + 12] != 1 {
            place += 15 + Int(bytes[place + 1]) << 16 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        bytes[place + 7] ^= 0x08
        try await expectWhole(try write(bytes, "damaged.flv"))
    }

    @Test(arguments: [0xC0, 0xE0] as [UInt8], [20, 600])
    func aFirstPESPacketThatIsAheadCostsNothing(streamID: UInt8, seconds: Int) async throws {
        var bytes = try await remuxed("feed.ts")
        try bytes.moveTimestamps(of: streamID, by: seconds, packets: 1)
        try await expectWhole(try write(bytes, "damaged.ts"))
    }

    @Test func audioThatIsOfAnotherClockAllTheTimeCostsNothing() async throws {
        var bytes = try await remuxed("feed.ts", audio: "0:a")
        try bytes.moveTimestamps(of: 0xC0, by: 600, packets: .max)
        try await expectWhole(try write(bytes, "damaged.ts"))
    }

    private func expectWhole(_ file: String) async throws {
        let start = ContinuousClock.now
        let packager = try await PackagerProcess(arguments(file))
        #expect(await packager.program.exitCode() == 0, "\(packager.program.errors)")
        // It was a minute and more.
        #expect(ContinuousClock.now - start < .seconds(40))
        let frames = try await Frames.checksums(playlistOptions + [directory.file("out/index.m3u8")])
        #expect(try await frames == Frames.ofSample())
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("out"))
        where name.hasSuffix("m3u8") {
            #expect(
                try !String(contentsOfFile: directory.file("out/\(name)"), encoding: .utf8).contains("GAP"),
                "\(name)"
            )
        }
    }

    /// Its timestamps are UTC, and half a day passes in the middle: hours of gaps, where the window is that long.
    @Test func aFileWithALongHoleIsLetGoOfAtOnce() async throws {
        var bytes = try await remuxed("feed.ts")
        var later = bytes
        for streamID in [0xC0, 0xE0] as [UInt8] {
            try later.moveTimestamps(of: streamID, by: 43_200, packets: .max)
        }
        let middle = bytes.count / 188 / 2 * 188
        bytes.replaceSubrange(middle..., with: later[middle...])
        let packager = try await PackagerProcess(
            ["--input", try write(bytes, "hole.ts"), "--no-realtime", "--clock", "pts", "--segment-duration", "1"]
                + ["--window", "14400"]
        )
        _ = try await eventually(within: 20, "the feed is read") {
            packager.program.errors.contains("input open") ? true : nil
        }
        let start = ContinuousClock.now
        #expect(await packager.end() == 0)
        // Slot by slot it would be minutes; without optimization, on a busy machine, the last playlist takes seconds.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(arguments: [
        ("feed.h264", "have no timestamps"), ("feed.wav", "no track that this channel can carry"),
        ("junk.bin", "Invalid data found"), ("empty.ts", "Invalid data found"),
    ])
    func aFileThatGivesNothingEndsABatchWithTheReason(name: String, reason: String) async throws {
        let file = directory.file(name)
        switch name {
        case "junk.bin": try Data(repeating: 0xA7, count: 5_000).write(to: URL(filePath: file))
        case "empty.ts": try Data().write(to: URL(filePath: file))
        default:
            let codec = name.hasSuffix("wav") ? ["-vn"] : ["-an", "-c", "copy"]
            try await Program.run("ffmpeg", ["-v", "error", "-i", Repository.feed] + codec + [file])
        }
        for others in [[], ["--loop"]] {
            let packager = try await PackagerProcess(arguments(file, others))
            #expect(await packager.program.exitCode() == 1)
            let complaint = "packager: channel live: nothing of \(file) could be published: "
            let line = try await eventually(within: 5, "the reason is said") {
                packager.program.errors.split(separator: "\n").first { $0.hasPrefix(complaint) }
            }
            #expect(line.contains(reason))
        }
    }
}

extension [UInt8] {
    /// Adds to the timestamps of so many PES packets of a stream (ISO/IEC 13818-1 § 2.4.3.6).
    fileprivate mutating func moveTimestamps(of streamID: UInt8, by seconds: Int, packets: Int) throws {
        var rest = packets
        for packet in stride(from: 0, to: count - 187, by: 188) where rest > 0 && self[packet + 1] & 0x40 != 0 {
            let adaptation = self[packet + 3] & 0x20 == 0 ? 0 : 1 + Int(self[packet + 4])
            let start = packet + 4 + adaptation
            guard start + 19 < count, Array(self[start..<start + 4]) == [0, 0, 1, streamID] else { continue }
            let fieldCount = [0, 0, 1, 2][Int(self[start + 7] >> 6)]
            for field in 0..<fieldCount {
                let place = start + 9 + 5 * field
                let bytes = self[place..<place + 5].map(Int.init)
                var time = bytes[0] >> 1 & 7
                for (high, low) in [(bytes[1], bytes[2]), (bytes[3], bytes[4])] {
                    time = time << 15 | high << 7 | low >> 1
                }
                time = (time + seconds * 90_000) & 0x1_FFFF_FFFF
                self[place] = UInt8(bytes[0] & 0xF1 | (time >> 30) << 1)
                for (offset, shift) in [(1, 15), (3, 0)] {
                    self[place + offset] = UInt8(time >> (shift + 7) & 0xFF)
                    self[place + offset + 1] = UInt8((time >> shift) << 1 & 0xFE | 1)
                }
            }
            rest -= 1
        }
        try #require(rest < packets)
    }
}
