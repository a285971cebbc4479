import Foundation
import Playlists
import TestSupport
import Testing

/// The reports of hls.js in Chromium, and the part of them that operators are told.
@Suite(.timeLimit(.minutes(5))) struct AudienceTests {
    private struct Status: Decodable {
        struct Audience: Decodable {
            var viewers: Int
            var reporting: Int
            var stalled: Int
            var stalls: Int
            var bufferLength: Double?
            var bitrate: Int?
            var throughput: Int?
        }

        var audience: Audience?
    }

    private struct Line: Decodable {
        var phase: String
        var problems: [String]
    }

    private static func audience(_ packager: PackagerProcess) async throws -> Status.Audience? {
        let body = try await HTTP.body("\(try packager.control)/channels/live")
        return try JSONDecoder().decode(Status.self, from: body).audience
    }

    private static func wait(for phase: String, of program: Program) async throws {
        let line = try await eventually(within: 120, "it is \(phase)") {
            try program.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
                .first { $0.phase == phase }
        }
        #expect(line.problems.isEmpty, "\(line.problems) \(program.errors)")
    }

    @Test func howViewersFareIsKnown() async throws {
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "20"]
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let input = Pipe()
        let script = Repository.script("EndToEndTests/Browser/cmcd.py")
        let players = try Program(Repository.python, [script, packager.url("index.m3u8")], input: input)
        try await Self.wait(for: "playing", of: players)
        // Two sessions of one browser at one address; the test itself asks as well, and says nothing.
        let playing = try await eventually(within: 30, "both are known") {
            // Who asked before the browser had started may count no more.
            _ = try await packager.text("video-360p.m3u8")
            let audience = try await Self.audience(packager)
            return audience?.reporting == 2 && audience?.bitrate != nil ? audience : nil
        }
        #expect(playing.viewers == 3, "\(playing)")
        #expect((0.5...20).contains(try #require(playing.bufferLength)), "\(playing)")
        #expect((100_000...10_000_000).contains(try #require(playing.bitrate)), "\(playing)")
        #expect(try #require(playing.throughput) > 100_000, "\(playing)")
        input.fileHandleForWriting.write(Data("dry\n".utf8))
        try await Self.wait(for: "played on", of: players)
        // On a busy machine a player may have stalled before, as it began.
        let stalled = try await eventually(within: 30, "the stall is known") {
            let audience = try await Self.audience(packager)
            return audience?.stalls ?? 0 > playing.stalls ? audience : nil
        }
        #expect(stalled.stalled >= 1 && stalled.reporting == 2, "\(stalled)")
        _ = try await eventually(within: 30, "metrics say the same") {
            guard let now = try await Self.audience(packager) else { return nil as Bool? }
            let metrics = String(decoding: try await HTTP.body("\(try packager.control)/metrics"), as: UTF8.self)
            return metrics.contains("packager_viewers_stalled{channel=\"live\"} \(now.stalled)\n")
                && metrics.contains("packager_viewer_stalls_total{channel=\"live\"} \(now.stalls)\n") ? true : nil
        }
        try input.fileHandleForWriting.close()
        #expect(await players.exitCode() == 0, "\(players.errors)")
        await packager.end()
    }

    /// A player's report is for the origin alone: caches see one resource, with one name of its version.
    @Test func whatPlayersSayChangesNoAnswer() async throws {
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "60"]
        )
        let playlist = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let segment = packager.url(try #require(playlist.segments.first).uri)
        let plain = try await HTTP.get(segment)
        let queried = try await HTTP.get("\(segment)?CMCD=bl%3D1000%2Csid%3D%22a%22")
        let fields = try await HTTP.get(segment, fields: ["CMCD-Request": "bl=1000", "CMCD-Session": "sid=\"b\""])
        for name in ["etag", "cache-control", "content-type", "vary"] {
            #expect(plain.fields[name] == queried.fields[name] && plain.fields[name] == fields.fields[name])
        }
        #expect(plain.body == queried.body && plain.body == fields.body)
        #expect(
            try await HTTP.get(segment, fields: ["CMCD-Status": String(repeating: "bs,", count: 22_000)]).status == 431
        )
        // One name a request: nothing grows beyond its bound, and those who are counted stay so.
        for number in 0..<500 { _ = try await HTTP.get("\(segment)?CMCD=sid%3D%22\(number)%22", method: "HEAD") }
        let audience = try await eventually(within: 10) {
            let audience = try await Self.audience(packager)
            return audience?.reporting == 502 ? audience : nil
        }
        #expect(audience.viewers == 503)
        await packager.end()
    }
}
