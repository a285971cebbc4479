import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed that record it: what one has missed, it takes from the other.
@Suite(.timeLimit(.minutes(10))) struct PairHealingTests {
    /// The past playlist of a rendition from one slot up to another.
    private static func past(
        _ rendition: String,
        of packager: PackagerProcess,
        _ slots: Range<Int64>
    ) async throws -> String {
        let seconds = Int64(PairFixture.slotDuration)
        let range = "\(slots.lowerBound * seconds)-\(slots.upperBound * seconds)"
        return try await packager.text("past/\(range)/\(rendition).m3u8")
    }

    private static func newest(_ packager: PackagerProcess) async throws -> Int64 {
        let playlist = try await packager.mediaPlaylist("video-360p")
        return playlist.mediaSequence.value + Int64(playlist.segments.count) - 1
    }

    /// Waits until a packager has published a slot.
    private static func wait(for slot: Int64, of packager: PackagerProcess) async throws {
        _ = try await eventually(within: 60, "slot \(slot)") { try await newest(packager) >= slot ? true : nil }
    }

    @Test func whatAKilledMemberMissedIsInItsRecordingAfterwards() async throws {
        let pair = try PairFixture()
        let port = Ports.free()
        let first = try await pair.packager(
            0,
            ["--peer": "http://127.0.0.1:\(port)", "--record": pair.file("first")]
        )
        _ = try await first.mediaPlaylist("video-360p", "a window") { $0.segments.count >= 3 }
        let own = ["--peer": first.origin, "--record": pair.file("second")]
        let killed = try await pair.packager(1, own, port: port)
        // What it has recorded by itself, whatever it took over before.
        let start = try await eventually(within: 60, "it serves") { try await Self.newest(killed) + 1 }
        try await Self.wait(for: start + 3, of: killed)
        killed.program.kill()
        _ = await killed.program.exitCode()
        let lost = try await Self.newest(first)
        // Until even the window of the other no longer has what it missed.
        _ = try await first.mediaPlaylist("video-360p", within: 120, "a window after the kill") { playlist in
            playlist.mediaSequence.value > lost + 3
        }
        let second = try await pair.packager(1, own, port: port)
        let back = try await eventually(within: 60, "it serves") { try await Self.newest(second) + 1 }
        try await Self.wait(for: back + 2, of: second)
        let slots = start..<back + 2
        for rendition in PairFixture.renditions {
            let log = second.program.errors
            let (whole, healed) = try await eventually(within: 120, "\(rendition) is whole: \(log)") {
                let texts = try await (
                    Self.past(rendition, of: first, slots), Self.past(rendition, of: second, slots)
                )
                return texts.0 == texts.1 && !texts.1.contains("#EXT-X-GAP") ? texts : nil
            }
            #expect(healed == whole)
            // Each segment has the bytes that the other has.
            let playlist = try MediaPlaylist(parsing: healed)
            #expect(playlist.segments.count == slots.count)
            for number in [lost + 1, lost + 3] {
                let segment = playlist.segments[Int(number - playlist.mediaSequence.value)]
                let path = segment.uri.replacing("../../", with: "")
                #expect(try await HTTP.body(second.url(path)) == HTTP.body(first.url(path)), "\(path)")
            }
        }
        let events = try await eventually(within: 60, "the event") {
            let text = try await HTTP.get("\(try second.control)/events?kind=recording").text
            return text.contains("the recording lacked") ? text : nil
        }
        #expect(events.contains("127.0.0.1:\(first.port)"), "\(events)")
        let status = try await HTTP.get("\(try second.control)/channels/live").text
        #expect(status.contains(#/"filled" ?: ?[1-9]/#), "\(status)")
        // Viewers are told nothing of it.
        let answer = try await HTTP.get("\(first.origin)/live/recorded.json?first=\(lost)&count=1")
        #expect(answer.status == 404)
        await first.end()
        await second.end()
    }
}
