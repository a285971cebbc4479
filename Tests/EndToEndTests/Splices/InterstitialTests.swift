import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// From a splice of a feed to an advertisement that hls.js plays in its place, and back.
@Suite struct InterstitialTests {
    private struct Seen: Decodable {
        struct Run: Decodable {
            var colour: String
            var seconds: Double
        }

        struct Event: Decodable {
            var name: String
            var id: String?
            var assets: Int?
        }

        struct Range: Decodable {
            var id: String
            var isValid: Bool
        }

        var runs: [Run]
        var events: [Event]
        var ranges: [Range]
        var latency: Double?
        /// The longest time in seconds for which the page was not run, and knew no colour.
        var late: Double
        var problems: [String]

        var colours: [String] { runs.map(\.colour) }
        func seconds(of colour: String) -> Double { runs.filter { $0.colour == colour }.reduce(0) { $0 + $1.seconds } }
        func count(_ name: String) -> Int { events.count { $0.name == name } }

        /// An advertisement of six seconds was seen between the programme and the programme.
        func expectAdvertisement() {
            #expect(problems.isEmpty)
            #expect(colours == ["green", "red", "green"])
            #expect((4.5 - late...7.5 + late).contains(seconds(of: "red")), "\(runs), up to \(late) s late")
            expectLive()
        }

        /// Three target durations of two seconds behind, and not much more.
        func expectLive() { #expect(latency.map { $0 < 12 } == true) }
    }

    /// An advertisement: red for so many seconds, as a finished stream in a directory of its own.
    private static func spot(_ name: String, _ seconds: Int, in directory: TemporaryDirectory) async throws {
        let path = directory.file("ads/\(name)")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await Program.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:size=320x180:rate=25", "-f", "lavfi", "-i",
                "sine=frequency=880:sample_rate=48000", "-t", "\(seconds)", "-c:v", "libx264", "-profile:v", "baseline",
                "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "1", "-map", "0:v", "-map", "1:a", "-f", "hls",
                // As the programme: hls.js wants tracks that it can put in its place.
                "-var_stream_map", "v:0,agroup:audio a:0,agroup:audio,default:yes", "-hls_time", "2",
                "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", "-master_pl_name", "index.m3u8",
                "-hls_segment_filename", "\(path)/%v-%d.m4s", "\(path)/media-%v.m3u8",
            ]
        )
    }

    private static func feed(
        _ seconds: Int,
        _ breaks: String...,
        in directory: TemporaryDirectory
    ) async throws -> String {
        let file = directory.file("splices.ts")
        let script = Repository.script("EndToEndTests/Splices/splices.py")
        try await Program.run("/usr/bin/python3", [script, file, "\(seconds)"] + breaks)
        return file
    }

    /// A channel whose breaks are filled, and whose segments are short so that players are not far behind.
    private static func packager(
        _ feed: String,
        in directory: TemporaryDirectory,
        ads: String,
        template: String = ""
    ) async throws -> PackagerProcess {
        let configuration = try directory.write(
            """
            input: \(feed)
            segment-duration: 1
            window: 40
            ads: "\(ads)"
            ads-timeout: 2
            interstitials: [{ \(template) }]
            """,
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(["--config", configuration])
        _ = try await packager.mediaPlaylist("video-180p", "six segments") { $0.segments.count >= 6 }
        return packager
    }

    private static func watch(_ packager: PackagerProcess, breaks: Int = 1, seconds: Int = 60) async throws -> Seen {
        let script = Repository.script("EndToEndTests/Browser/interstitials.py")
        let output = try await Program.run(
            Repository.python,
            [script, packager.url("index.m3u8"), "--seconds", "\(seconds)", "--breaks", "\(breaks)"]
        )
        print(output)
        return try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
    }

    /// A break of six seconds is filled by the advertisement of six, and not by that of nine.
    @Test(arguments: ["resume-offset: live", "resume-offset: duration"].oneIn(2))
    func anAdvertisementPlaysInABreak(template: String) async throws {
        let directory = try TemporaryDirectory()
        try await Self.spot("nine", 9, in: directory)
        try await Self.spot("six", 6, in: directory)
        let packager = try await Self.packager(
            try await Self.feed(60, "7:16:22", in: directory),
            in: directory,
            ads: "files:\(directory.file("ads"))",
            template: template
        )
        let seen = try await Self.watch(packager)
        seen.expectAdvertisement()
        #expect(seen.count("InterstitialStarted") == 1 && seen.count("InterstitialEnded") == 1)
        #expect(seen.events.first { $0.name == "AssetListLoaded" }?.assets == 1)
        #expect(seen.ranges.count == 1 && seen.ranges.allSatisfy(\.isValid))
        await packager.end()
    }

    /// The programme comes back after six seconds of a break of fifteen, and viewers with it.
    @Test func anEarlyReturnEndsTheAdvertisement() async throws {
        let directory = try TemporaryDirectory()
        try await Self.spot("fifteen", 15, in: directory)
        let packager = try await Self.packager(
            try await Self.feed(60, "7:16:22:3:15", in: directory),
            in: directory,
            ads: "files:\(directory.file("ads"))"
        )
        let seen = try await Self.watch(packager)
        seen.expectAdvertisement()
        await packager.end()
    }

    /// A server of advertisements over HTTP, which answers in VAST by way of a wrapper.
    @Test func aServerFillsTheBreak() async throws {
        let directory = try TemporaryDirectory()
        try await Self.spot("six", 6, in: directory)
        let port = Ports.free()
        let script = Repository.script("EndToEndTests/Splices/ad_server.py")
        let server = try Program("/usr/bin/python3", [script, "\(port)", directory.file("ads")])
        defer { server.kill() }
        let packager = try await Self.packager(
            try await Self.feed(60, "7:16:22", in: directory),
            in: directory,
            ads: "vast:http://127.0.0.1:\(port)/wrapper?event={event-id}&length={duration}&id={id}"
        )
        let seen = try await Self.watch(packager)
        seen.expectAdvertisement()
        #expect(seen.events.first { $0.name == "AssetListLoaded" }?.assets == 1)
        let id = try #require(seen.events.first { $0.name == "InterstitialStarted" }?.id)
        let asked = server.output.split(separator: "\n").filter { $0.contains("/wrapper") }
        #expect(asked == ["/wrapper?event=7&length=6&id=\(id)"], "\(server.output)")
        await packager.end()
    }

    /// One that never answers, and one that answers nonsense: viewers stay with the programme, and an event reports it.
    @Test(arguments: [("sleep 1000", "it has not answered in time"), ("echo hello", "it is not JSON")].oneIn(2))
    func whoeverFailsHoldsNobodyUp(program: String, reason: String) async throws {
        let directory = try TemporaryDirectory()
        let script = try directory.write(program + "\n", to: "ads.sh")
        let packager = try await Self.packager(
            try await Self.feed(60, "7:16:26", in: directory),
            in: directory,
            ads: "command:sh \(script)"
        )
        let seen = try await Self.watch(packager, seconds: 30)
        #expect(seen.problems.isEmpty)
        #expect(seen.colours == ["green"] && seen.seconds(of: "green") > 22)
        seen.expectLive()
        let events = String(decoding: try await HTTP.body("\(try packager.control)/events"), as: UTF8.self)
        #expect(events.contains(reason))
        await packager.end()
    }

    private struct Page: Decodable {
        struct Entry: Decodable {
            var title: String
            var text: String
        }

        var problems: [String]
        var metadata: [Entry]
        var `break`: [[String]]
        var interstitial: [[String]]
        var list: [String]
        var note: Bool
        var repeated: Int
    }

    /// The origin's own page marks breaks and interstitials, lists what it hears, and says what it does not play.
    @Test func thePlayerPageShowsWhatHappensWhen() async throws {
        let directory = try TemporaryDirectory()
        try await Self.spot("six", 6, in: directory)
        let packager = try await Self.packager(
            try await Self.feed(60, "7:12:18", in: directory),
            in: directory,
            ads: "files:\(directory.file("ads"))"
        )
        let tag =
            #"{"frames": [{"id": "TXXX", "description": "song", "value": "Ünï"}, {"id": "TIT2", "value": "News"}]}"#
        let answer = try await HTTP.get(
            "\(packager.control)/channels/live/metadata",
            method: "POST",
            fields: ["Content-Type": "application/json"],
            sending: tag
        )
        #expect(answer.status == 200)
        let script = Repository.script("EndToEndTests/Browser/metadata.py")
        let output = try await Program.run(
            Repository.python,
            [script, packager.url(""), "Break", "Interstitial", "ID3", "--screenshots", directory.path]
        )
        let page = try JSONDecoder().decode(Page.self, from: Data(output.utf8))
        #expect(page.problems.isEmpty, "\(output)")
        #expect(page.note)
        #expect(page.repeated == 1, "a range that is listed all the while was new again")
        #expect(page.break.first?.first == "Break" && page.break.first?.contains { $0.hasPrefix("SCTE35-OUT") } == true)
        let interstitial = try #require(page.interstitial.first)
        #expect(interstitial.first == "Interstitial" && interstitial.contains { $0.hasPrefix("X-ASSET-LIST ads/7-") })
        #expect(page.list.count == page.metadata.count && page.list.contains { $0.contains("Interstitial") })
        // Every rendition has it, and it is listed once.
        #expect(page.metadata.filter { $0.title == "ID3" }.map(\.text) == ["TXXX song: Ünï · TIT2 News"])
        #expect(page.list.count { $0.contains("TIT2 News") } == 1)
        await packager.end()
    }

    /// The reader is the Python package m3u8.
    @Test func whatIsSaidOfTheWholeChannelIsRead() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write(
            """
            input: \(Repository.feed)
            loop: true
            segment-duration: 1
            window: 20
            start-offset: 8
            output: \(directory.file("output"))
            localized-names: \(directory.write(#"{"English": {"de": "Englisch"}}"#, to: "names.json"))
            session-data: [{ id: com.example.title, value: The News, language: en }]
            """,
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(["--config", configuration])
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let script = """
            import m3u8, sys
            playlist = m3u8.load(sys.argv[1])
            data = {datum.data_id: datum.value or datum.uri for datum in playlist.session_data}
            print(playlist.start.time_offset, data["com.example.title"], data["_hls.localized-rendition-names"])
            """
        let read = try await Program.run(Repository.python, ["-c", script, packager.url("index.m3u8")])
        #expect(read.trimmingCharacters(in: .newlines) == "-8.0 The News names.json")
        #expect(try await packager.text("names.json") == #"{"English":{"de":"Englisch"}}"#)
        await packager.end()
        let file = try String(contentsOfFile: directory.file("output/names.json"), encoding: .utf8)
        #expect(file == #"{"English":{"de":"Englisch"}}"#)
    }
}
