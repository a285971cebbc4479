import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Live feeds over real transports, from FFmpeg as encoder to FFmpeg as player.
@Suite(.serialized) struct LiveFeedTests {
    private let quick = ["--segment-duration", "1", "--window", "8"]

    enum Transport: String, CaseIterable {
        case udp, srtListener, srtCaller, rtmp, standardInput
    }

    @Test(arguments: Transport.allCases)
    func whatIsSentIsPlayed(transport: Transport) async throws {
        let port = Ports.free(datagram: transport != .rtmp)
        let sender: FeedSender
        let packager: PackagerProcess
        switch transport {
        case .udp:
            packager = try await PackagerProcess(quick + ["--input", "udp://127.0.0.1:\(port)"])
            sender = try .udp(port: port)
        case .srtListener:
            packager = try await PackagerProcess(quick + ["--input", "srt://127.0.0.1:\(port)?mode=listener"])
            sender = try FeedSender(to: ["-f", "mpegts", "srt://127.0.0.1:\(port)?mode=caller"])
        case .srtCaller:
            sender = try FeedSender(to: ["-f", "mpegts", "srt://127.0.0.1:\(port)?mode=listener"])
            packager = try await PackagerProcess(quick + ["--input", "srt://127.0.0.1:\(port)?mode=caller"])
        case .rtmp:
            packager = try await PackagerProcess(quick + ["--input", "rtmp://127.0.0.1:\(port)/live/feed"])
            sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", "rtmp://127.0.0.1:\(port)/live/feed"])
        case .standardInput:
            sender = try FeedSender(to: ["-f", "mpegts", "-"], pipesOutput: true)
            packager = try await PackagerProcess(quick + ["--input", "-"], input: sender.program.outputPipe)
        }
        let playlist = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        // Time of day is now, within what a segment and the transport take.
        let edge = try #require(playlist.segments.last).programDateTime.seconds
        #expect(abs(Date.now.timeIntervalSince1970 - edge) < 8)
        #expect(
            playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
            "\(playlist.render())\(packager.program.errors)"
        )
        let run = try #require(playlist.periods(base: packager.url("").dropLast().description).first)
        let directory = try TemporaryDirectory()
        let frames = try await Frames.checksums(playlistOptions + [try directory.write(run.render(), to: "run.m3u8")])
        #expect(frames.count >= 90, "\(playlist.render())")
        #expect(Frames.isRun(frames, of: try await Frames.ofSample()), "\(frames.count) frames")
        sender.program.terminate()
        await packager.end()
    }

    @Test func aKilledEncoderLeavesGapsOfTheRightLengthAndMediaReturns() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--window", "60", "--input", "udp://127.0.0.1:\(port)"]
        )
        // The feed stops and continues when that reaches the packager, and not when the encoder is told.
        let relay = DatagramRelay(to: [port])
        let first = try FeedSender.udp(port: relay.port)
        let before = try await packager.mediaPlaylist("video-360p", "five segments") { $0.segments.count >= 5 }
        first.program.kill()
        // The playlist continues without an encoder.
        _ = try await packager.mediaPlaylist("video-360p", "five gaps") { $0.segments.count(where: \.isGap) >= 5 }
        let second = try FeedSender.udp(port: relay.port)
        let after = try await packager.mediaPlaylist("video-360p", "media after the gap") { playlist in
            playlist.segments.suffix(3).allSatisfy { !$0.isGap }
        }
        let gaps = after.segments.dropFirst(before.segments.count).filter(\.isGap)
            .reduce(0) { $0 + $1.duration.time.seconds }
        let outage = try #require(relay.longestPause).seconds
        #expect(
            abs(gaps - outage) <= 2.5,
            "\(gaps) s of gaps, \(outage) s without an encoder\n\(packager.program.errors)"
        )
        #expect(after.segments.allSatisfy { !$0.startsDiscontinuity })
        #expect(after.discontinuitySequence == 0)
        // What was published stays as it was; numbers and times run on.
        #expect(Array(after.segments.prefix(before.segments.count)) == before.segments)
        // UTC follows a feed that arrives early or late by at most 2 ms a second, and dates are whole milliseconds.
        for (segment, next) in zip(after.segments, after.segments.dropFirst()) {
            let expected = segment.programDateTime + segment.duration.time
            #expect(abs(next.programDateTime.milliseconds - expected.milliseconds) <= 3, "\(next.uri)")
        }
        let gap = try #require(after.segments.first { $0.isGap })
        #expect(try await HTTP.get(packager.url(gap.uri)).status == 404)
        second.program.kill()
        await packager.end()
    }

    @Test func aKilledPackagerGoesOnWhereItWas() async throws {
        let port = Ports.free(datagram: true)
        let state = try TemporaryDirectory()
        let arguments =
            // Nothing leaves the window before media is back, however long a start takes.
            ["--segment-duration", "1", "--window", "60"] + [
                "--encryption", "sample-aes", "--state", state.file("state"), "--input", "udp://127.0.0.1:\(port)",
            ]
        let sender = try FeedSender.udp(port: port)
        let first = try await PackagerProcess(arguments)
        let before = try await first.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try await PackagerProcess(arguments)
        let after = try await second.mediaPlaylist("video-360p", "media after the kill") { playlist in
            let added = playlist.segments.dropFirst(before.segments.count)
            return added.last?.isGap == false
        }
        // What was published stays, and is served; what was missed is a gap; numbers and keys continue.
        #expect(after.mediaSequence == before.mediaSequence)
        #expect(Array(after.segments.prefix(before.segments.count)) == before.segments)
        for segment in before.segments {
            #expect(try await !HTTP.body(second.url(segment.uri)).isEmpty)
        }
        let last = try #require(after.segments.last)
        let number = after.mediaSequence.value + Int64(after.segments.count) - 1
        #expect(abs(number - last.programDateTime.ticks / 90_000) <= 1)
        #expect(last.keys == before.segments.last?.keys)
        sender.program.kill()
        await second.end()
    }
}
