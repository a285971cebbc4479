import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Channels with parts, from FFmpeg as encoder to players that ask for each part.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyTests {
    private let settings = ["--segment-duration", "2", "--part-duration", "0.5", "--window", "60"]

    /// A packager of the sample over UDP, with parts of half a second.
    private func live(_ options: [String] = []) async throws -> (packager: PackagerProcess, sender: FeedSender) {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(settings + options + ["--input", "udp://127.0.0.1:\(port)"])
        return (packager, try .udp(port: port))
    }

    /// Each part is listed no earlier than it is there, and all of them together are the segment.
    @Test(arguments: ["none", "sample-aes", "sample-aes-ctr"])
    func aSegmentIsItsParts(encryption: String) async throws {
        let (packager, sender) = try await live(["--encryption", encryption])
        for rendition in ["video-360p", "audio-en"] {
            var reader = try await PartReader(packager, rendition)
            for _ in 0..<14 { try await reader.follow() }
            #expect(reader.earlyAnswers.isEmpty, "\(reader.earlyAnswers)")
            let playlist = reader.playlist
            #expect(playlist.partTarget?.seconds == 0.5)
            #expect(playlist.serverControl?.canBlockReload == true)
            #expect(playlist.serverControl?.partHoldBack?.seconds == 1.5)
            #expect(playlist.hints.contains { $0.kind == .part })
            var compared = 0
            for (offset, segment) in playlist.segments.enumerated() {
                let number = playlist.mediaSequence.value + Int64(offset)
                guard let joined = reader.joined(number, count: segment.parts.count) else { continue }
                #expect(joined == (try await HTTP.body(packager.url(segment.uri))), "segment \(number)")
                let durations = segment.parts.reduce(0) { $0 + $1.duration.time.seconds }
                #expect(abs(durations - segment.duration.time.seconds) < 0.001)
                compared += 1
            }
            #expect(compared >= 2, "\(playlist.render())")
        }
        sender.program.kill()
        await packager.end()
    }

    /// Without video, nothing but the grid says where slots end.
    @Test func radioHasParts() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(settings + ["--input", "udp://127.0.0.1:\(port)"])
        let sender = try FeedSender(to: ["-map", "-0:v", "-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316"])
        var reader = try await PartReader(packager, "audio-en")
        for _ in 0..<14 { try await reader.follow() }
        let playlist = reader.playlist
        #expect(playlist.segments.count { !$0.isGap } >= 3)
        #expect(
            playlist.segments.dropFirst().allSatisfy { segment in
                !segment.isGap && segment.parts.allSatisfy { !$0.isGap }
            },
            "\(playlist.render())"
        )
        sender.program.kill()
        await packager.end()
    }

    /// The hinted part comes whole once it is there; others that are not there are not waited for.
    @Test func aHintedPartIsWaitedFor() async throws {
        let (packager, sender) = try await live()
        var reader = try await PartReader(packager, "video-360p")
        for _ in 0..<6 {
            let hint = try #require(reader.playlist.hints.first { $0.kind == .part })
            let media = try await HTTP.body(packager.url(hint.uri))
            #expect(!media.isEmpty)
            try await reader.follow()
        }
        let far = try #require(reader.playlist.hints.first { $0.kind == .part }).uri
            .replacing(/\.\d+\.m4s$/, with: ".1000.m4s")
        #expect(try await HTTP.get(packager.url(far)).status == 404)
        sender.program.kill()
        await packager.end()
    }

    /// Directives that make no sense, or that can only be a mistake (RFC 8216bis § 6.2.5.2).
    @Test func nonsenseIsRefused() async throws {
        let (packager, sender) = try await live()
        let reader = try await PartReader(packager, "video-360p")
        let ahead = reader.next.segment + 100
        let refused = [
            "_HLS_part=0", "_HLS_msn=-1", "_HLS_msn=x", "_HLS_msn=1&_HLS_msn=2", "_HLS_msn=\(ahead)",
            "_HLS_msn=99999999999999999999", "_HLS_msn=\(reader.next.segment)&_HLS_part=999",
        ]
        for query in refused {
            #expect(try await HTTP.get(packager.url("video-360p.m3u8?\(query)")).status == 400, "\(query)")
        }
        #expect(try await HTTP.get(packager.url("video-360p.m3u8?_HLS_msn=0")).status == 200)
        #expect(try await HTTP.get(packager.url("video-360p.m3u8?other=1")).status == 200)
        sender.program.kill()
        await packager.end()
    }

    /// An encoder that dies in a segment: its parts stay, the rest are gaps, and players are told in time.
    @Test func aDeadEncoderLeavesGapParts() async throws {
        let (packager, sender) = try await live()
        var reader = try await PartReader(packager, "video-360p")
        for _ in 0..<8 { try await reader.follow() }
        sender.program.kill()
        let before = reader.parts
        for _ in 0..<16 { try await reader.follow() }
        #expect(reader.earlyAnswers.isEmpty)
        #expect(reader.parts.values.contains { $0.line.isGap })
        for (place, part) in before { #expect(reader.parts[place]?.line == part.line) }
        // What is a gap once stays one.
        let first = try #require(reader.parts.filter { $0.value.line.isGap }.keys.min())
        #expect(reader.parts.filter { $0.key > first }.values.allSatisfy { $0.line.isGap })
        await packager.end()
    }

    /// FFmpeg plays the same playlists.
    @Test func classicPlayersNoticeNothing() async throws {
        let (packager, sender) = try await live(["--encryption", "none"])
        let playlist = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        let run = try #require(playlist.periods(base: packager.url("").dropLast().description).first)
        let directory = try TemporaryDirectory()
        let frames = try await Frames.checksums(playlistOptions + [try directory.write(run.render(), to: "run.m3u8")])
        #expect(frames.count >= 150, "\(playlist.render())")
        #expect(Frames.isRun(frames, of: try await Frames.ofSample()), "\(frames.count) frames")
        sender.program.kill()
        await packager.end()
    }
}
