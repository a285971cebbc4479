import Foundation
import MediaCore
import Playlists
import Synchronization
import TestSupport
import Testing

/// Feeds that say nothing of UTC and are placed by their arrival, as FFmpeg sends them in earnest.
@Suite(.serialized) struct ArrivalTests {
    private static let slotDuration: Int64 = 1

    private static func arguments(_ ports: [Int], _ more: [String] = []) -> [String] {
        ["--segment-duration", "\(slotDuration)", "--window", "12"] + more
            + ports.flatMap { ["--input", "udp://127.0.0.1:\($0)"] }
    }

    /// The most by which the newest segment's end is ahead of now, in milliseconds, until the playlist is as wanted.
    private static func lead(
        of packager: PackagerProcess,
        _ what: String,
        until isDone: @escaping @Sendable (MediaPlaylist) -> Bool
    ) async throws -> Int64 {
        let most = Mutex(Int64.min)
        return try await eventually(within: 60, what) {
            // Who asks for a playlist that is not there yet has to wait until it is long, and the first segment counts here.
            let head = try await HTTP.get(packager.url("video-360p.m3u8"), method: "HEAD")
            guard head.status == 200 else { return nil }
            let playlist = try await packager.mediaPlaylist("video-360p")
            let now = MediaTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
            guard let newest = playlist.segments.last else { return nil }
            let lead = (newest.programDateTime + newest.duration.time - now).milliseconds
            let mostYet = most.withLock { most in
                most = max(most, lead)
                return most
            }
            return isDone(playlist) ? mostYet : nil
        }
    }

    @Test func aFeedOfThreeTimesTheSpeedIsPublishedInTrueTimeAndTheProgramStartsAgain() async throws {
        let port = Ports.free(datagram: true)
        let state = try TemporaryDirectory()
        let arguments = Self.arguments([port], ["--state", state.path])
        let sender = try FeedSender.udp(port: port, pace: ["-readrate", "3"])
        let packager = try await PackagerProcess(arguments)
        let began = Date.now
        let lead = try await Self.lead(of: packager, "fifteen seconds go by") { _ in Date.now > began + 15 }
        #expect(lead <= 1_000 * Self.slotDuration)
        _ = try await eventually(within: 20, "its speed is said") {
            packager.program.errors.contains("It is faster than real time") ? true : nil
        }
        await packager.end()
        let again = try await PackagerProcess(arguments)
        let restored = try await again.mediaPlaylist("video-360p", "the window is listed again") {
            !$0.segments.isEmpty
        }
        let newest = restored.mediaSequence.value + Int64(restored.segments.count)
        _ = try await again.mediaPlaylist("video-360p", "it goes on") {
            $0.mediaSequence.value + Int64($0.segments.count) > newest + 2
        }
        sender.program.kill()
        await again.end()
    }

    /// A transcoder reads its own input for seconds before it knows it, and then pours out what it has gathered.
    @Test func aTranscodersBurstIsPlacedInThePast() async throws {
        let ports = [Ports.free(datagram: true), Ports.free(datagram: true)]
        let packager = try await PackagerProcess(Self.arguments([ports[1]]))
        let transcoder = try Program(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", "udp://127.0.0.1:\(ports[0])", "-map", "0:v", "-map", "0:a:0", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", "-f", "mpegts",
                "udp://127.0.0.1:\(ports[1])?pkt_size=1316",
            ]
        )
        let sender = try FeedSender.udp(port: ports[0])
        // How far behind now the newest segment's end is once the burst is over, where the machine is busy.
        let behind = Mutex(0.0)
        let lead = try await Self.lead(of: packager, "twelve segments are listed") { playlist in
            if playlist.segments.count >= 8, let newest = playlist.segments.last {
                let end = (newest.programDateTime + newest.duration.time).seconds
                behind.withLock { $0 = max($0, Date.now.timeIntervalSince1970 - end) }
            }
            return playlist.segments.count >= 12
        }
        #expect(lead <= 200)
        // The encoder dies: the gap comes when viewers expect a segment.
        let gauge = LatenessGauge()
        transcoder.kill()
        let dead = Date.now
        _ = try await packager.mediaPlaylist("video-360p", "there is a gap") { $0.segments.contains(where: \.isGap) }
        // Its slot's end, half a slot for a late key frame, and as late again as the feed has been.
        let patience = 2.5 * Double(Self.slotDuration) + behind.withLock(\.self)
        let (late, machine) = (behind.withLock(\.self), gauge.worstLateness / .seconds(1))
        #expect(
            Date.now.timeIntervalSince(dead) <= max(patience + 0.5, 4.5) + machine,
            "late by \(late) s, threads by \(machine) s\n\(packager.program.errors)"
        )
        sender.program.kill()
        await packager.end()
    }

    /// An encoder that stamps audio by another clock: ten minutes ahead, and half of what 33 bits can tell.
    @Test(arguments: [54_000_000, 1 << 32])
    func audioOfAnotherClockIsPlacedByItsOwnArrival(ticks: Int) async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(Self.arguments([port]))
        let sender = try FeedSender.udp(
            port: port,
            options: ["-bsf:a", "setts=ts=TS+\(ticks)", "-max_interleave_delta", "1"]
        )
        for rendition in ["video-360p", "audio-en"] {
            // Feed and playlist may be late for a moment; neither may be early.
            let earliest = Mutex(Int64.max)
            _ = try await packager.mediaPlaylist(rendition, "six segments of media, in time") { playlist in
                guard playlist.segments.count(where: { !$0.isGap }) >= 6, let newest = playlist.segments.last else {
                    return false
                }
                let now = MediaTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
                let age = (now - newest.programDateTime - newest.duration.time).milliseconds
                earliest.withLock { $0 = min($0, age) }
                return !newest.isGap && age <= 2_000
            }
            let age = earliest.withLock(\.self)
            #expect(age >= -200, "\(rendition): \(age) ms\n\(packager.program.errors)")
        }
        let errors = packager.program.errors
        #expect(errors.components(separatedBy: "does not use the clock of the other tracks").count >= 2, "\(errors)")
        sender.program.kill()
        await packager.end()
    }

    /// One encoder, whose rungs take ways of different length.
    @Test func rungsOfOneEncoderAreInSyncToTheFrame() async throws {
        let ports = (0..<3).map { _ in Ports.free(datagram: true) }
        let relays = ports.map { DatagramRelay(to: [$0]) }
        relays[1].set(.long(300), to: 0)
        relays[2].set(.long(90), to: 0)
        let packager = try await PackagerProcess(Self.arguments(ports))
        let sender = try FeedSender(
            to: Self.rung(360, relays[0].port, ["-map", "0:a:0", "-c:a", "copy"])
                + Self.rung(270, relays[1].port) + Self.rung(180, relays[2].port),
            options: ["-map", "-0"]
        )
        let rungs = ["video-360p", "video-270p", "video-180p"]
        var dates: [[MediaSequenceNumber: MediaTime]] = []
        var times: [[MediaSequenceNumber: Int64]] = []
        for rung in rungs {
            let playlist = try await packager.mediaPlaylist(rung, "eight segments") { $0.segments.count >= 8 }
            // An encoder of three rungs that sends nothing for a while leaves gaps, as it ought to.
            let pause = relays.compactMap { $0.longestPause?.seconds }.max() ?? 0
            if pause > 0.4 { print("The encoder has sent nothing for \(pause) s, so that gaps say nothing.") }
            #expect(
                pause > 0.4 || playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
                "\(playlist.render())\(packager.program.errors)"
            )
            var (date, time): ([MediaSequenceNumber: MediaTime], [MediaSequenceNumber: Int64]) = ([:], [:])
            for (number, segment) in playlist.numbered where !segment.isGap {
                date[number] = segment.programDateTime
                let map = try await HTTP.body(packager.url(segment.map?.uri ?? ""))
                let media = try await HTTP.body(packager.url(segment.uri))
                time[number] = FragmentTimes.presentation(initialization: map, segments: [media]).first
            }
            dates.append(date)
            times.append(time)
        }
        for index in 1...2 {
            let common = Set(dates[0].keys).intersection(dates[index].keys)
            #expect(common.count >= 5)
            for number in common {
                let (date, other) = (try #require(dates[0][number]), try #require(dates[index][number]))
                #expect(abs((date - other).milliseconds) <= 40, "\(rungs[index]) \(number)")
                let (time, otherTime) = (try #require(times[0][number]), try #require(times[index][number]))
                #expect(abs(time - otherTime) <= 3_600, "\(rungs[index]) \(number)")
            }
        }
        #expect(!packager.program.errors.contains("key frames are not aligned"), "\(packager.program.errors)")
        #expect(!packager.program.errors.contains("not published as decided"), "\(packager.program.errors)")
        withExtendedLifetime(relays) { sender.program.kill() }
        await packager.end()
    }

    /// A key frame a second, each at the same pictures.
    private static func rung(_ height: Int, _ port: Int, _ audio: [String] = ["-an"]) -> [String] {
        [
            "-map", "0:v", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "25", "-vf",
            "scale=-2:\(height)",
        ] + audio + ["-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316"]
    }
}
