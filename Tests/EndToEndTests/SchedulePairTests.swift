import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Commands to either member of a pair, which both publish.
@Suite struct SchedulePairTests {
    /// Posts a cue.
    ///
    /// - Returns: The slot in which it will be.
    private func show(_ text: String, from start: String = "now", on packager: PackagerProcess) async throws -> Int64 {
        try await packager.show(#"{"language": "en", "text": "\#(text)", "start": "\#(start)", "duration": 2.5}"#)
    }

    private static func time(in seconds: Int64) -> String {
        MediaTime(seconds: Int64(Date.now.timeIntervalSince1970) + seconds).iso8601
    }

    /// Starts a member, which keeps what it is told.
    private func start(_ member: Int, of pair: PairFixture, _ ports: [Int]) async throws -> PackagerProcess {
        try await pair.packager(
            member,
            [
                "--peer": "http://127.0.0.1:\(ports[1 - member])", "--state": pair.file("state-\(member)"),
                "--subtitles": "en", "--window": "60",
            ],
            port: ports[member]
        )
    }

    /// Waits until a member has written down what was posted to the other one, whose changes it asks for once a second.
    private func expectKept(_ text: String, by member: Int, of pair: PairFixture) async throws {
        let file = pair.file("state-\(member)/live/schedule")
        _ = try await eventually(within: 20, "member \(member) has '\(text)'") {
            try String(contentsOfFile: file, encoding: .utf8).contains(text) ? true : nil
        }
    }

    /// Starts both members, the second once the first has something that it can take over.
    private func startBoth(_ pair: PairFixture, _ ports: [Int]) async throws -> (PackagerProcess, PackagerProcess) {
        let first = try await start(0, of: pair, ports)
        _ = try await first.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        let second = try await start(1, of: pair, ports)
        _ = try await second.mediaPlaylist("video-360p", "media of its own") { $0.segments.count >= 5 }
        return (first, second)
    }

    @Test func aPairTakesCuesFromEitherMember() async throws {
        let pair = try PairFixture()
        let ports = [Ports.free(), Ports.free()]
        let (first, second) = try await startBoth(pair, ports)
        let slots = [try await show("from one", on: first), try await show("from the other", on: second)]
        // Kept, and lost by neither, while one of them is away.
        let later = try await show("for later", from: Self.time(in: 24), on: second)
        try await expectKept("for later", by: 0, of: pair)
        second.program.kill()
        _ = await second.program.exitCode()
        let meanwhile = try await show("meanwhile", from: Self.time(in: 24), on: first)
        let again = try await start(1, of: pair, ports)
        for (slot, said) in zip(slots + [later, meanwhile], ["from one", "from the other", "for later", "meanwhile"]) {
            for member in [first, again] {
                let text = try await member.text(of: slot, in: "text-en")
                #expect(text.contains("\n\(said)\n"), "slot \(slot): \(text)")
            }
        }
        let lines = try await (first.text("text-en.m3u8"), again.text("text-en.m3u8"))
        let common = Set(lines.0.split(separator: "\n").filter { $0.hasSuffix(".vtt") })
            .intersection(lines.1.split(separator: "\n").filter { $0.hasSuffix(".vtt") })
        #expect(common.count >= 8)
        for uri in common {
            let texts = try await (first.text(String(uri)), again.text(String(uri)))
            #expect(texts.0 == texts.1, "\(uri)")
        }
        for member in [first, again] { await member.end() }
    }

    /// A directory is in its way: it is on air all the same, and the answer says that it is not kept.
    @Test func whatCannotBeKeptIsSaid() async throws {
        let pair = try PairFixture()
        let inTheWay = pair.file("state-0/live/schedule/x")
        try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: true)
        let packager = try await start(0, of: pair, [Ports.free(), Ports.free()])
        _ = try await packager.mediaPlaylist("video-360p", "a segment") { !$0.segments.isEmpty }
        let answer = try await HTTP.get(
            "\(packager.control)/channels/live/splices",
            method: "POST",
            fields: ["Content-Type": "application/json"],
            sending: #"{"event": 7, "out": true, "duration": 4}"#
        )
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(
            answer.status == 200 && text.contains("slot") && text.contains("a restart would lose it"),
            "\(text)"
        )
        _ = try await packager.mediaPlaylist("video-360p", "the break") { !$0.allDateRanges.isEmpty }
        await packager.end()
    }

    @Test func aPairTakesRangesSplicesAndMetadataFromEitherMember() async throws {
        let pair = try PairFixture()
        let ports = [Ports.free(), Ports.free()]
        let (first, second) = try await startBoth(pair, ports)
        try await first.tell(#"{"ID": "show", "CLASS": "com.example", "X-N": 1.5}"#, to: "dateranges")
        let splice = #"{"event": 7, "out": true, "at": "\#(Self.time(in: 24))", "duration": 4}"#
        try await second.tell(splice, to: "splices")
        let tag = #"{"at": "\#(Self.time(in: 25))", "frames": [{"id": "TXXX", "value": "posted"}]}"#
        try await second.tell(tag, to: "metadata")
        for kind in ["\"splice\"", "\"metadata\""] { try await expectKept(kind, by: 0, of: pair) }
        second.program.kill()
        _ = await second.program.exitCode()
        try await first.tell(#"{"X-B": {"hex": "0a"}}"#, to: "dateranges/show", "PATCH")
        let again = try await start(1, of: pair, ports)
        for member in [first, again] {
            let playlist = try await member.mediaPlaylist("video-360p", "the way back") {
                $0.allDateRanges.contains { $0.spliceIn != nil }
            }
            let ranges = playlist.allDateRanges
            #expect(ranges.problems.isEmpty)
            #expect(ranges.filter { $0.id == "show" }.merged.first?.custom.count == 2, "\(ranges.map(\.text))")
            let range = try #require(ranges.first { $0.spliceOut != nil })
            let segment = try #require(playlist.segments.first { $0.programDateTime >= (range.start ?? .zero) })
            // A key frame a second: the slot's edge went where the splice is.
            #expect((segment.programDateTime - (range.start ?? .zero)).milliseconds < 1_000)
            let bodies = try await playlist.segments.bodies(of: member)
            #expect(bodies.contains { $0.contains("posted") })
        }
        let verdict = try await first.verdict(on: again, seconds: 4)
        #expect(verdict.code == 0, "\(verdict.text)")
        for member in [first, again] { await member.end() }
    }
}

extension [MediaPlaylist.Segment] {
    /// The texts of those segments that are text, one after the other.
    fileprivate func bodies(of packager: PackagerProcess) async throws -> [String] {
        var texts: [String] = []
        for segment in self where !segment.isGap {
            texts.append(String(decoding: try await HTTP.body(packager.url(segment.uri)), as: UTF8.self))
        }
        return texts
    }
}
