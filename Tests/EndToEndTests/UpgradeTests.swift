import Foundation
import Glibc
import MediaCore
import Playlists
import TestSupport
import Testing

/// Another process of the program takes the place of one that runs, under those who watch.
@Suite(.timeLimit(.minutes(5))) struct UpgradeTests {
    /// The record of viewers who forgive nothing.
    private struct Seen: Decodable {
        var answers: Int
        var connections: Int
        var closed: Int
        var failures: [String]
        var keys: Int
    }

    /// A packager that is fed over UDP, and those after it.
    private final class Stage: Sendable {
        let directory: TemporaryDirectory
        let packager: PackagerProcess
        let sender: WatchedSender

        init(_ arguments: [String], hasState: Bool = true, feed: String = Repository.feed) async throws {
            directory = try TemporaryDirectory()
            let port = Ports.free(datagram: true)
            let state = hasState ? ["--state", directory.file("state")] : []
            packager = try await PackagerProcess(
                ["--input", "udp://127.0.0.1:\(port)", "--window", "24"] + state + arguments
            )
            sender = try WatchedSender(port: port, feed: feed)
        }

        deinit { for process in Self.successors(packager) { kill(process, SIGKILL) } }

        static func successors(_ packager: PackagerProcess) -> [pid_t] {
            packager.program.output.split(separator: "\n").filter { $0.hasPrefix("successor ") }
                .compactMap { $0.split(separator: " ").last.flatMap { pid_t($0) } }
        }

        /// Waits until there are so many segments.
        func listed(_ count: Int) async throws {
            let url = packager.url("video-360p.m3u8")
            _ = try await eventually(within: 60, "\(count) segments") {
                let answer = try await HTTP.get(url)
                return answer.status == 200 && answer.text.split(separator: "#EXTINF").count > count ? true : nil
            }
        }

        /// The process that has taken the place of the one before, once there are so many.
        func successor(_ count: Int) async throws -> pid_t {
            try await eventually(within: 60, "upgrade \(count)") {
                let all = Self.successors(packager)
                return all.count >= count ? all[count - 1] : nil
            }
        }

        func end(_ process: pid_t) async throws {
            sender.program.kill()
            kill(process, SIGTERM)
            _ = try await eventually(within: 60, "the last process ends") {
                UpgradeTests.isRunning(process) ? nil : true
            }
        }
    }

    fileprivate static func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    private static let viewers = Repository.root.appending(path: "Tests/EndToEndTests/Crowd/steadfast.py").path

    /// Twice: not one request fails, not one connection is closed, no player waits, and the stream is as if nothing had been.
    @Test func viewersNoticeNothing() async throws {
        let stage = try await Stage([
            "--segment-duration", "2", "--encryption", "aes-128", "--key-rotation", "8",
        ])
        try await stage.listed(5)
        let seconds = 30
        let player = try PlayingPage(of: stage.packager, ["--minimum-advance", "25", "--maximum-stall", "0.1"])
        try await player.begun()
        let crowd = try Program(
            Repository.python,
            [Self.viewers, stage.packager.url("index.m3u8"), "--viewers", "40", "--seconds", "\(seconds)"]
        )
        let check = try Program(
            Repository.packager,
            ["check", stage.packager.url("index.m3u8"), "--duration", "\(seconds)"]
        )
        kill(stage.packager.program.identifier, SIGUSR2)
        let second = try await stage.successor(1)
        #expect(await stage.packager.program.exitCode() == 0)
        kill(second, SIGUSR2)
        let third = try await stage.successor(2)
        _ = try await eventually(within: 60, "the second process ends") { Self.isRunning(second) ? nil : true }
        #expect(await crowd.exitCode() == 0, "\(crowd.errors)")
        let seen = try JSONDecoder().decode(Seen.self, from: Data(crowd.output.utf8))
        #expect(seen.failures == [])
        #expect(seen.closed == 0 && seen.connections == 80, "\(seen)")
        #expect(seen.answers > 40 * seconds && seen.keys > 2, "\(seen)")
        #expect(await check.exitCode() == 0, "\(check.output)")
        stage.sender.expectNothingMissing(
            check.output.contains(" 0 gaps"),
            "\(check.output)\(stage.packager.program.errors)"
        )
        try await player.seen()
        try await stage.end(third)
    }

    /// A viewer that reads nothing of its answer for now.
    private final class SlowViewer {
        private let connection: CInt

        /// - Parameter segment: The URL of a segment that is larger than the buffers of sockets.
        /// - Throws: The expectation that the packager does not meet.
        init(of segment: String) throws {
            let url = try #require(URL(string: segment))
            let port = try #require(url.port)
            connection = try #require(ClientSocket.connected(to: port))
            let request = "GET \(url.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            #expect(send(connection, request, request.utf8.count, 0) == request.utf8.count)
            // Its answer has begun.
            var byte: UInt8 = 0
            #expect(recv(connection, &byte, 1, CInt(MSG_PEEK)) == 1)
        }

        deinit { close(connection) }

        /// Reads until the server closes the connection.
        func read() -> [UInt8] {
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 20))
            while case let count = recv(connection, &piece, piece.count, 0), count > 0 { bytes += piece[..<count] }
            return bytes
        }
    }

    /// Makes a packager with segments of 7.5 MB, which are more than sockets hold.
    private static func stageOfLargeSegments() async throws -> (Stage, newest: String) {
        let noise = FeedRecipe(
            "noise-30M",
            .encoded([
                "-f", "lavfi", "-i", "color=gray:size=640x360:rate=25,noise=alls=100:allf=t", "-t", "10", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "25", "-b:v", "30M",
            ])
        )
        let stage = try await Stage(["--segment-duration", "2"], feed: await FeedStore.shared.file(noise))
        try await stage.listed(3)
        let newest = Self.segments(try await stage.packager.text("video-360p.m3u8")).last
        return try (stage, stage.packager.url(#require(newest)))
    }

    /// The process before the upgrade completes the answers that it has begun.
    @Test func answersUnderWayAreCompleted() async throws {
        let (stage, segment) = try await Self.stageOfLargeSegments()
        let whole = try await HTTP.get(segment).body
        let viewer = try SlowViewer(of: segment)
        let first = stage.packager.program.identifier
        kill(first, SIGUSR2)
        let second = try await stage.successor(1)
        // It has the time to end too soon: everything else of it ends at once.
        for _ in 0..<40 where Self.isRunning(first) { try await Task.sleep(for: .milliseconds(50)) }
        #expect(Self.isRunning(first))
        let answer = viewer.read()
        #expect(answer.count > whole.count, "\(answer.count) bytes of \(whole.count)")
        #expect(answer.suffix(whole.count).elementsEqual(whole))
        #expect(await stage.packager.program.exitCode() == 0)
        try await stage.end(second)
    }

    /// A client that takes no bytes holds the process before the upgrade for a minute, and a signal ends it sooner.
    @Test func retiredProcessEndsWhenTold() async throws {
        let (stage, segment) = try await Self.stageOfLargeSegments()
        let viewer = try SlowViewer(of: segment)
        let first = stage.packager.program.identifier
        kill(first, SIGUSR2)
        let second = try await stage.successor(1)
        let start = ContinuousClock.now
        kill(first, SIGTERM)
        _ = try await eventually(within: 15, "the first process ends") { Self.isRunning(first) ? nil : true }
        #expect(ContinuousClock.now - start < .seconds(50))
        #expect(await stage.packager.program.exitCode() == 0)
        withExtendedLifetime(viewer) {}
        try await stage.end(second)
    }

    /// Viewers of channels do not wait for a server of token keys that does not answer.
    @Test func silentServerOfTokenKeysHoldsNothingUp() async throws {
        let server = try TakenPort()
        let stage = try await Stage([
            "--segment-duration", "1", "--encryption", "aes-128", "--token-keys",
            "http://127.0.0.1:\(server.number)/jwks.json",
        ])
        try await stage.listed(3)
        @Sendable func givenUp() -> Int {
            stage.packager.program.errors.components(separatedBy: "token-keys cannot be read").count - 1
        }
        #expect(givenUp() == 1)
        kill(stage.packager.program.identifier, SIGUSR2)
        let second = try await stage.successor(1)
        let end = try await stage.packager.mediaPlaylist("video-360p").end
        _ = try await stage.packager.mediaPlaylist("video-360p", "another segment") { $0.end > end }
        #expect(givenUp() == 1, "the new process still asks for them: \(stage.packager.program.errors)")
        try await stage.end(second)
    }

    /// State that is stored nowhere is handed over as well: the window in memory, and the secret that keys are made of.
    @Test func whatIsKeptNowhereGoesOn() async throws {
        let stage = try await Stage(
            ["--segment-duration", "2", "--encryption", "sample-aes", "--format", "ts", "--key-rotation", "4"],
            hasState: false
        )
        try await stage.listed(6)
        let before = Self.segments(try await stage.packager.text("video-360p.m3u8"))
        let check = try Program(
            Repository.packager,
            ["check", stage.packager.url("index.m3u8"), "--duration", "16"]
        )
        kill(stage.packager.program.identifier, SIGUSR2)
        let second = try await stage.successor(1)
        let events = try await HTTP.get("\(try stage.packager.control)/events").text
        #expect(events.contains("taken the place of process \(stage.packager.program.identifier)"), "\(events)")
        let after = Self.segments(try await stage.packager.text("video-360p.m3u8"))
        #expect(Set(before.suffix(4)).isSubset(of: after), "\(before) and \(after)")
        #expect(await check.exitCode() == 0, "\(check.output)")
        stage.sender.expectNothingMissing(
            check.output.contains(" 0 gaps"),
            "\(check.output)\(stage.packager.program.errors)"
        )
        // What both have encrypted can be played with the keys that there are now.
        let ffmpeg = try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-live_start_index", "0", "-i", stage.packager.url("index.m3u8"), "-map", "0:v:0", "-t",
                "8", "-f", "null", "-",
            ]
        )
        #expect(ffmpeg.isEmpty, "\(ffmpeg)")
        try await stage.end(second)
    }

    private static func segments(_ playlist: String) -> [String] {
        playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// A new version that does not like its configuration, or changes what it must not, changes nothing.
    @Test func oneThatCannotGoOnLeavesEverythingAsItWas() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        func write(_ more: String) throws -> String {
            try directory.write(
                "input: udp://127.0.0.1:\(port)\nwindow: 12\nencryption: aes-128\nstate: \(directory.file("state"))\n"
                    + more,
                to: "packager.yaml"
            )
        }
        let packager = try await PackagerProcess(["--config", try write("segment-duration: 1\n")])
        let sender = try WatchedSender(port: port)
        @Sendable func newest() async throws -> String? {
            let answer = try await HTTP.get(packager.url("video-360p.m3u8"))
            return answer.status == 200 ? Self.segments(answer.text).last : nil
        }
        var before = try await eventually(within: 60, "a segment") { try await newest() }
        for (count, (settings, problem)) in [
            ("segment-duration: 1\nwindw: 3\n", "windw"),
            ("segment-duration: 2\n", "segment-duration was 1.0, and is 2.0"),
        ].enumerated() {
            _ = try write(settings)
            kill(packager.program.identifier, SIGUSR2)
            _ = try await eventually(within: 60, "it is given up") {
                packager.program.errors.split(separator: "upgrade was given up").count > count + 1 ? true : nil
            }
            let events = try await HTTP.get("\(try packager.control)/events").text
            #expect(events.contains(problem) && events.contains("The upgrade was given up"), "\(events)")
            #expect(packager.program.errors.contains("exit code 2"))
            let old = before
            before = try await eventually(within: 20, "it goes on") {
                try await newest().flatMap { $0 == old ? nil : $0 }
            }
        }
        let text = try await packager.text("video-360p.m3u8")
        sender.expectNothingMissing(!text.contains("EXT-X-GAP"), "\(text)\(packager.program.errors)")
        sender.program.kill()
        #expect(await packager.end() == 0)
    }

    /// One member of a pair is upgraded while both are compared byte by byte: there is nothing to see.
    @Test func aMemberOfAPairPublishesTheSameAllTheWhile() async throws {
        let pair = try PairFixture()
        let (first, second) = try await pair.packagers(["--state": pair.file("state")])
        let compare = try Program(
            Repository.packager,
            ["compare", first.url("index.m3u8"), second.url("index.m3u8"), "--duration", "16"]
        )
        kill(second.program.identifier, SIGUSR2)
        let successor = try await eventually(within: 60, "it is upgraded") { Stage.successors(second).first }
        let log = "\(first.program.errors)\(second.program.errors)"
        #expect(await compare.exitCode() == 0, "\(compare.output)\(compare.errors)\(log)")
        for rendition in PairFixture.renditions {
            let (own, other) = try await (first.mediaPlaylist(rendition), second.mediaPlaylist(rendition))
            // Where the encoder was late, both have gaps.
            let whole = Set(own.segments.filter { !$0.isGap }.map(\.uri))
            let missing = other.segments.filter { $0.isGap && whole.contains($0.uri) }
            #expect(missing.isEmpty, "\(rendition): \(other.render())\(log)")
        }
        kill(successor, SIGTERM)
        _ = try await eventually(within: 60, "the last process ends") { Self.isRunning(successor) ? nil : true }
        await first.end()
    }

    /// Programs of one feed have one reader, here as there.
    @Test func theProgramsOfAFeedGoOnTogether() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess([
            "--input", "udp://127.0.0.1:\(port)", "--program", "1", "--program", "2", "--segment-duration", "2",
            "--window", "24", "--state", directory.file("state"),
        ])
        let sender = try WatchedSender(port: port, options: ProgramTests.programs)
        let names = ["live-1", "live-2"]
        func url(_ name: String) -> String { "\(packager.origin)/\(name)/index.m3u8" }
        for name in names {
            let media = "\(packager.origin)/\(name)/video-360p.m3u8"
            _ = try await eventually(within: 60, "\(name) lists four segments") {
                let answer = try await HTTP.get(media)
                return answer.status == 200 && answer.text.split(separator: "#EXTINF").count > 4 ? true : nil
            }
        }
        let checks = try names.map { try Program(Repository.packager, ["check", url($0), "--duration", "16"]) }
        kill(packager.program.identifier, SIGUSR2)
        let successor = try await eventually(within: 60, "it is upgraded") { Stage.successors(packager).first }
        for check in checks {
            #expect(await check.exitCode() == 0, "\(check.output)")
            sender.expectNothingMissing(
                check.output.contains(" 0 gaps"),
                "\(check.output)\(packager.program.errors)"
            )
        }
        sender.program.kill()
        kill(successor, SIGTERM)
        _ = try await eventually(within: 60, "the last process ends") { Self.isRunning(successor) ? nil : true }
    }

    /// A feed that one process alone can read stays with it.
    @Test func standardInputStaysWhereItIs() async throws {
        let ffmpeg = try Program(
            "ffmpeg",
            ["-v", "error", "-re", "-stream_loop", "-1", "-i", Repository.feed, "-c", "copy", "-f", "mpegts", "-"],
            pipesOutput: true
        )
        let packager = try await PackagerProcess(
            ["--input", "-", "--segment-duration", "1", "--window", "12"],
            input: ffmpeg.outputPipe
        )
        _ = try await eventually(within: 60, "a segment") {
            try await HTTP.get(packager.url("video-360p.m3u8")).text.contains("#EXTINF") ? true : nil
        }
        let forecast = try await HTTP.get("\(try packager.control)/upgrade").text
        #expect(forecast.contains("\"obstacle\" : \"channel live reads standard input"), "\(forecast)")
        #expect(forecast.contains("\"transport\" : \"pipe\"") && forecast.contains("\"keeps\" : true"), "\(forecast)")
        kill(packager.program.identifier, SIGUSR2)
        _ = try await eventually(within: 60, "it is refused") {
            packager.program.errors.contains("reads standard input") ? true : nil
        }
        #expect(packager.program.isRunning)
        ffmpeg.kill()
        await packager.end()
    }

    /// One that finds only when it has everything that it cannot continue: the other one takes all of it back.
    @Test func whatWasLetGoIsTakenBack() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        func write(_ more: String) throws -> String {
            let live =
                "  - {name: live, input: 'udp://127.0.0.1:\(port)', encryption: aes-128, state: \(directory.file("s"))}\n"
            return try directory.write(
                "segment-duration: 1\nwindow: 24\nchannels:\n\(live)\(more)",
                to: "packager.yaml"
            )
        }
        let packager = try await PackagerProcess(["--config", try write("")])
        let sender = try FeedSender.udp(port: port)
        @Sendable func listed() async throws -> [Int] {
            let answer = try await HTTP.get(packager.url("video-360p.m3u8"))
            guard answer.status == 200 else { return [] }
            return Self.segments(answer.text).compactMap { Int($0.split { "/.".contains($0) }.dropLast().last ?? "") }
        }
        let before = try await eventually(within: 60, "three segments") {
            let numbers = try await listed()
            return numbers.count > 3 ? numbers : nil
        }
        // A file is where the channel's directory is to be, which shows when that is made.
        let blocked = try directory.write("", to: "c")
        _ = try write("  - {name: c, input: \(Repository.feed), loop: true, state: \(directory.path)}\n")
        kill(packager.program.identifier, SIGUSR2)
        _ = try await eventually(within: 60, "it is given up") {
            packager.program.errors.contains("everything goes on as before: ") ? true : nil
        }
        #expect(packager.program.errors.contains(blocked), "\(packager.program.errors)")
        // It had been let go: its feed is opened anew.
        let events = "\(try packager.control)/events?kind=input-opened"
        _ = try await eventually(within: 30, "its feed is opened a second time") {
            try await HTTP.get(events).text.components(separatedBy: "\"input-opened\"").count > 2 ? true : nil
        }
        let after = try await eventually(within: 60, "it goes on") {
            let numbers = try await listed()
            return numbers.last ?? 0 > (before.last ?? 0) + 6 ? numbers : nil
        }
        #expect(after == Array((after.first ?? 0)..<(after.first ?? 0) + after.count))
        #expect(after.first == before.first)
        sender.program.kill()
        #expect(await packager.end() == 0)
    }

    /// A reload closes and opens channels, which an upgrade must not find half done.
    @Test func anUpgradeAndAReloadAreDoneOneAfterTheOther() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        func write(window: Int) throws -> String {
            let input = "'udp://127.0.0.1:\(port)'"
            return try directory.write(
                """
                segment-duration: 1
                channels:
                  - {name: live, input: \(input), window: \(window), state: \(directory.file("s"))}

                """,
                to: "packager.yaml"
            )
        }
        let packager = try await PackagerProcess(["--config", try write(window: 24)])
        let sender = try WatchedSender(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        _ = try write(window: 30)
        let control = try packager.control
        async let answer = HTTP.get("\(control)/reload", method: "POST")
        kill(packager.program.identifier, SIGUSR2)
        let (status, text) = try await (answer.status, answer.text)
        // Whichever comes first: to the process that has let go there is nothing left to change.
        #expect(status == 200 || text.contains("hands all channels to another process"), "\(status) \(text)")
        let successor = try await eventually(within: 60, "it is upgraded") { Stage.successors(packager).first }
        #expect(!packager.program.errors.contains("in use by another packager"), "\(packager.program.errors)")
        let end = try await packager.mediaPlaylist("video-360p").end
        let after = try await packager.mediaPlaylist("video-360p", "three more segments") {
            $0.end >= end.advanced(by: 3)
        }
        sender.expectNothingMissing(
            after.segments.allSatisfy { !$0.isGap },
            "\(after.render())\(packager.program.errors)"
        )
        sender.program.kill()
        kill(successor, SIGTERM)
        _ = try await eventually(within: 60, "the last process ends") { Self.isRunning(successor) ? nil : true }
    }

    /// The service manager hears of the process that is the service now, and not that the first one stops.
    @Test func theServiceManagerHearsWhoTheServiceIs() async throws {
        let directory = try TemporaryDirectory()
        let ear = try NotifySocket(directory.file("notify"))
        let program = try Program(
            Repository.packager,
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--state", directory.file("state"),
                "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
            ],
            environment: ["NOTIFY_SOCKET": ear.path, "WATCHDOG_USEC": "4000000"]
        )
        _ = try await eventually(within: 60, "it is on air") {
            ear.heard().contains("STATUS=On air: live") ? true : nil
        }
        kill(program.identifier, SIGUSR2)
        let news = try await eventually(within: 60, "there is another main process") {
            let text = ear.heard()
            return text.contains("MAINPID=") ? text : nil
        }
        #expect(!news.contains("STOPPING"))
        let code = await program.exitCode()
        #expect(code == 0, "\(program.errors)")
        let successor = try #require(
            program.output.split(separator: "\n").last { $0.hasPrefix("successor ") }?.split(separator: " ").last
                .flatMap { pid_t($0) }
        )
        #expect(news.contains("MAINPID=\(successor)"))
        let later = try await eventually(within: 20, "it feeds the watchdog") {
            let text = ear.heard()
            return text.contains("WATCHDOG=1") ? text : nil
        }
        #expect(!later.contains("STOPPING"))
        kill(successor, SIGTERM)
        _ = try await eventually(within: 60, "it stops") { ear.heard().contains("STOPPING=1") ? true : nil }
    }
}
