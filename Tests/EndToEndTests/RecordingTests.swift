import Foundation
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

/// A channel that is recorded by one process after another.
@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
    private static let renditions = ["video-360p", "audio-en", "audio-de"]

    /// Files that viewers had, by path, with those of the window that is listed now.
    private static func fetch(from packager: PackagerProcess, into files: inout [String: Data]) async throws {
        for rendition in renditions {
            for segment in try await packager.mediaPlaylist(rendition).segments where !segment.isGap {
                for path in [segment.uri, segment.map?.uri].compactMap(\.self) where files[path] == nil {
                    files[path] = try await HTTP.body(packager.url(path))
                }
            }
        }
    }

    private static func successor(of packager: PackagerProcess) async throws -> pid_t {
        try await eventually(within: 60, "the upgrade") {
            packager.program.output.split(separator: "\n").last { $0.hasPrefix("successor ") }
                .flatMap { $0.split(separator: " ").last.flatMap { pid_t($0) } }
        }
    }

    /// Killed, started again, upgraded and ended: the recording has each slot, with the bytes that viewers had.
    @Test func everySlotThatViewersHadIsInTheRecording() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let arguments = [
            "--segment-duration", "1", "--window", "120", "--key-rotation", "4", "--encryption", "aes-128",
            "--state", directory.file("state"), "--record", directory.file("recordings"),
            "--input", "udp://127.0.0.1:\(port)",
        ]
        let sender = try FeedSender.udp(port: port)
        var files: [String: Data] = [:]

        let first = try await PackagerProcess(arguments)
        _ = try await first.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        try await Self.fetch(from: first, into: &files)
        first.program.kill()
        _ = await first.program.exitCode()

        let second = try await PackagerProcess(arguments)
        let count = Set(files.keys.filter { $0.hasPrefix("video-360p/") && $0.hasSuffix(".m4s") }).count
        _ = try await second.mediaPlaylist("video-360p", "media after the kill") { playlist in
            playlist.segments.dropFirst(count).suffix(2).count { !$0.isGap } == 2
        }
        let status = try await HTTP.get("\(try second.control)/channels/live").text
        #expect(status.contains(#""recording""#), "\(status)")
        kill(second.program.identifier, SIGUSR2)
        let third = try await Self.successor(of: second)
        #expect(await second.program.exitCode() == 0)
        let listed = try await second.mediaPlaylist("video-360p").segments.count
        _ = try await second.mediaPlaylist("video-360p", "media after the upgrade") { playlist in
            playlist.segments.count >= listed + 2
        }
        try await Self.fetch(from: second, into: &files)
        let playlist = try await second.mediaPlaylist("video-360p")
        kill(third, SIGTERM)
        _ = try await eventually(within: 60, "the last process ends") { kill(third, 0) == 0 ? nil : true }
        sender.program.kill()

        // A byte is written once.
        let state = FileManager.default.enumerator(atPath: directory.file("state"))
        #expect(state?.contains { ($0 as? String)?.hasSuffix(".m4s") == true } == false)
        try Self.expect(files, as: playlist, in: directory.file("recordings/live"), second.program.errors)
    }

    /// Looks for all files in a recording, and for all slots of a playlist.
    private static func expect(
        _ files: [String: Data],
        as playlist: MediaPlaylist,
        in directory: String,
        _ log: String
    ) throws {
        let recording = try Recording.open(
            directory,
            identity: ["name": "live"],
            segmentDuration: MediaTime(seconds: 1),
            limits: RecordingLimits(),
            onEvent: { Issue.record("\($0)") }
        )
        for (path, bytes) in files {
            let body = try recording.body(path)?.read()
            #expect(body.map { Data($0.readableBytesView) } == bytes, "\(path)\n\(log)")
        }
        let extent = try #require(recording.extent)
        let begin = playlist.mediaSequence
        let numbers = begin..<MediaSequenceNumber(begin.value + Int64(playlist.segments.count))
        #expect(extent.lowerBound <= numbers.lowerBound && extent.upperBound >= numbers.upperBound)
        let slots = try recording.slots(in: numbers)
        #expect(slots.map(\.number.value) == Array(numbers.lowerBound.value..<numbers.upperBound.value))
        for (slot, segment) in zip(slots, playlist.segments) {
            let line = try #require(slot.segments["video-360p"]?.line)
            #expect(line.isGap == segment.isGap && (line.isGap || line.uri == segment.uri))
            // A playlist has milliseconds.
            #expect(abs(line.programDateTime.milliseconds - segment.programDateTime.milliseconds) <= 1)
        }
        recording.close()
    }
}
