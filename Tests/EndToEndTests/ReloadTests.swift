import Foundation
import Glibc
import TestSupport
import Testing

/// A configuration that is read again under those who watch.
@Suite(.timeLimit(.minutes(5))) struct ReloadTests {
    /// A packager by a file, which is written anew.
    private struct Stage {
        let directory: TemporaryDirectory
        let packager: PackagerProcess
        let path: String

        init(_ channels: String) async throws {
            directory = try TemporaryDirectory()
            path = try directory.write(Self.document(channels), to: "packager.yaml")
            packager = try await PackagerProcess(["--config", path])
        }

        static func document(_ channels: String) -> String {
            "segment-duration: 1\nwindow: 12\nchannels:\n\(channels)"
        }

        func write(_ channels: String) throws { _ = try directory.write(Self.document(channels), to: "packager.yaml") }

        func reload(_ query: String = "") async throws -> HTTP.Answer {
            try await HTTP.get("\(try packager.control)/reload\(query)", method: "POST")
        }

        func playlist(_ channel: String) async throws -> String? {
            let answer = try await HTTP.get("\(packager.origin)/\(channel)/video-360p.m3u8")
            return answer.status == 200 ? answer.text : nil
        }

        /// Waits until a channel lists so many segments.
        func listed(_ channel: String, count: Int = 4) async throws -> String {
            try await eventually(within: 60, "\(channel) lists \(count) segments") {
                let text = try await playlist(channel)
                return text.flatMap { $0.split(separator: "#EXTINF").count > count ? $0 : nil }
            }
        }
    }

    private struct Report: Decodable {
        var added: [String]
        var changed: [String]
        var removed: [String]
        var unchanged: [String]
        var warnings: [String]
    }

    private struct Problems: Decodable { var problems: [String] }

    private static func looping(_ name: String, _ more: String = "") -> String {
        "  - {name: \(name), input: \(Repository.feed), loop: true\(more)}\n"
    }

    /// A signal that comes before the process can do what it asks for does not end it, and is done later.
    @Test func hangupDuringTheStartIsDoneAfterIt() async throws {
        let directory = try TemporaryDirectory()
        let server = try TakenPort()
        func write(_ channels: String) throws -> String {
            let keys = "token-keys: http://127.0.0.1:\(server.number)/jwks.json\nencryption: aes-128\n"
            return try directory.write(keys + Stage.document(channels), to: "packager.yaml")
        }
        let path = try write(Self.looping("live"))
        let program = try Program(
            Repository.packager,
            ["--config", path, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        )
        _ = try await eventually(within: 30, "it asks for the keys of tokens") { server.hasCaller ? true : nil }
        _ = try write(Self.looping("live") + Self.looping("event"))
        kill(program.identifier, SIGHUP)
        let control = try await eventually(within: 30, "it listens") {
            let line = program.output.split(separator: "\n").first { $0.hasPrefix("control http") }
            if line == nil, !program.isRunning { throw Program.Failure(description: program.errors) }
            return line.map { $0.dropFirst("control ".count) }
        }
        _ = try await eventually(within: 30, "the channel is added") {
            try await HTTP.get("\(control)channels").text.contains("\"event\"") ? true : nil
        }
        program.terminate()
        #expect(await program.exitCode() == 0)
    }

    /// Numbers and names of the segments of a playlist.
    private static func segments(_ playlist: String) -> [String] {
        playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// A viewer of one channel notices nothing of others that come, change and go.
    @Test func channelsComeAndGoUnderAPlayer() async throws {
        let stage = try await Stage(Self.looping("live"))
        _ = try await stage.listed("live", count: 6)
        let player = try PlayingPage(of: stage.packager, ["--minimum-advance", "25", "--maximum-stall", "0.1"])
        try await player.begun()
        for round in 0..<3 {
            try stage.write(Self.looping("live") + Self.looping("event"))
            let added = try JSONDecoder().decode(Report.self, from: try await stage.reload().body)
            #expect(added.added == ["event"] && added.unchanged == ["live"], "round \(round)")
            _ = try await stage.listed("event", count: 1)
            try stage.write(Self.looping("live") + Self.looping("event", ", window: 15"))
            #expect(try JSONDecoder().decode(Report.self, from: try await stage.reload().body).changed == ["event"])
            try stage.write(Self.looping("live"))
            // As systemd does it.
            kill(stage.packager.program.identifier, SIGHUP)
            _ = try await eventually(within: 20, "the event is over") {
                try await HTTP.get("\(stage.packager.origin)/event/index.m3u8").status == 404 ? true : nil
            }
        }
        try await player.seen()
        await stage.packager.end()
    }

    /// A channel whose encoder is at 127.0.0.2.
    private static func guarded(by allowed: String, port: Int, _ more: String) -> String {
        "  - {name: live, input: 'udp://127.0.0.1:\(port)', allowed-publishers: \(allowed), \(more)}\n"
    }

    private static func sender(at address: String, port: Int) throws -> FeedSender {
        try FeedSender(to: ["-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316&localaddr=\(address)"])
    }

    /// Ends the encoder while a stranger sends to the same port, and waits until the input is lost.
    private static func strangerSendsInVain(_ stage: Stage, _ encoder: FeedSender, port: Int) async throws {
        let stranger = try sender(at: "127.0.0.1", port: port)
        let count = try await stage.listed("live").split(separator: "#EXTINF").count
        _ = try await stage.listed("live", count: count + 2)
        encoder.program.kill()
        _ = try await eventually(within: 30, "the input is lost, whatever a stranger sends") {
            let metrics = try await HTTP.get("\(try stage.packager.control)/metrics").text
            return metrics.split(separator: "\n").contains {
                $0.hasPrefix("packager_input_up{") && $0.hasSuffix(" 0")
            } ? true : nil
        }
        #expect(stranger.program.isRunning)
        stranger.program.kill()
    }

    /// The port is opened anew for a channel that changes, and a stranger may not send to that one either.
    @Test func whoMayNotSendMayNotAfterAReloadEither() async throws {
        let port = Ports.free(datagram: true)
        let stage = try await Stage(Self.guarded(by: "[127.0.0.2]", port: port, "window: 12"))
        let encoder = try Self.sender(at: "127.0.0.2", port: port)
        _ = try await stage.listed("live", count: 2)
        try stage.write(Self.guarded(by: "[127.0.0.2]", port: port, "window: 15"))
        #expect(try JSONDecoder().decode(Report.self, from: try await stage.reload().body).changed == ["live"])
        try await Self.strangerSendsInVain(stage, encoder, port: port)
        await stage.packager.end()
    }

    /// The change would let others send, and fails only once the port is open: another packager has the state.
    @Test func aChangeThatIsRefusedLetsNobodySend() async throws {
        let port = Ports.free(datagram: true)
        let folder = try TemporaryDirectory()
        let stage = try await Stage(Self.guarded(by: "[127.0.0.2]", port: port, "state: \(folder.file("a"))"))
        let encoder = try Self.sender(at: "127.0.0.2", port: port)
        _ = try await stage.listed("live", count: 2)
        try FileManager.default.createDirectory(atPath: folder.file("b/live"), withIntermediateDirectories: true)
        let lock = open(folder.file("b/live/lock"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try stage.write(Self.guarded(by: "[127.0.0.0/8]", port: port, "state: \(folder.file("b"))"))
        let answer = try await stage.reload()
        #expect(answer.status >= 400 && answer.text.contains("b/live"), "\(answer.status) \(answer.text)")
        try await Self.strangerSendsInVain(stage, encoder, port: port)
        await stage.packager.end()
    }

    /// It continues with what it lists: from its journal, or from memory with the same keys.
    @Test(arguments: [false, true]) func aChannelThatChangesGoesOn(hasState: Bool) async throws {
        let folder = try TemporaryDirectory()
        let port = Ports.free(datagram: true)
        let state = hasState ? ", state: \(folder.file("state"))" : ""
        func live(_ window: Int) -> String {
            "  - {name: live, input: 'udp://127.0.0.1:\(port)', encryption: aes-128, window: \(window)\(state)}\n"
        }
        let stage = try await Stage(live(12))
        let sender = try FeedSender.udp(port: port)
        let before = try await stage.listed("live", count: 8)
        try stage.write(live(30))
        let report = try JSONDecoder().decode(Report.self, from: try await stage.reload().body)
        #expect(report.changed == ["live"])
        // It is served all the while, from the first moment on with what was listed before.
        let after = try #require(try await stage.playlist("live"))
        #expect(Set(Self.segments(before).suffix(5)).isSubset(of: Self.segments(after)))
        let later = try await stage.listed("live", count: 16)
        let numbers = Self.segments(later).compactMap { Int($0.split { "/.".contains($0) }.dropLast().last ?? "") }
        #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
        // What was encrypted before can be played.
        let url = "\(stage.packager.origin)/live/index.m3u8"
        let ffmpeg = try await Program.run(
            "ffmpeg",
            ["-v", "error", "-live_start_index", "0", "-i", url, "-map", "0:v:0", "-t", "8", "-f", "null", "-"]
        )
        #expect(ffmpeg.isEmpty, "\(ffmpeg)")
        sender.program.kill()
        await stage.packager.end()
    }

    /// A feed in datagrams is read on where the channel before left off: not a picture is missing.
    @Test func aChannelThatChangesGoesOnWithItsFeed() async throws {
        let port = Ports.free(datagram: true)
        func live(_ window: Int) -> String { "  - {name: live, input: 'udp://127.0.0.1:\(port)', window: \(window)}\n" }
        let stage = try await Stage(live(24))
        let sender = try WatchedSender(port: port)
        _ = try await stage.listed("live", count: 6)
        let check = try Program(
            Repository.packager,
            ["check", "\(stage.packager.origin)/live/index.m3u8", "--duration", "16"]
        )
        // Wherever in a slot a change comes: a slot is published some time after its end.
        for window in [25, 24, 25] {
            try stage.write(live(window))
            let report = try JSONDecoder().decode(Report.self, from: try await stage.reload().body)
            #expect(report.changed == ["live"])
        }
        #expect(await check.exitCode() == 0, "\(check.output)")
        sender.expectNothingMissing(
            check.output.contains(" 0 gaps"),
            "\(check.output)\(stage.packager.program.errors)"
        )
        sender.program.kill()
        await stage.packager.end()
    }

    /// Only a change of the input itself cuts an encoder off, which is said beforehand.
    @Test(arguments: ["rtmp", "srt"]) func encoderStaysConnectedWhileItsChannelChanges(scheme: String) async throws {
        let port = Ports.free(datagram: scheme == "srt")
        let place = "\(scheme)://127.0.0.1:\(port)"
        func live(_ window: Int, key: String = "secret") -> String {
            let input = scheme == "rtmp" ? "\(place)/live/\(key)" : "\(place)?mode=listener&streamid=\(key)"
            return "  - {name: live, input: '\(input)', window: \(window)}\n"
        }
        let stage = try await Stage(live(24))
        let sender = try FeedSender(
            to: scheme == "rtmp"
                ? ["-map", "-0:a:1", "-f", "flv", "\(place)/live/secret"]
                : ["-f", "mpegts", "\(place)?streamid=secret"]
        )
        let before = Self.segments(try await stage.listed("live", count: 6))
        for window in [25, 26] {
            try stage.write(live(window))
            let report = try JSONDecoder().decode(Report.self, from: try await stage.reload().body)
            #expect(report.changed == ["live"] && report.warnings == [])
        }
        let after = try await stage.listed("live", count: before.count + 8)
        #expect(Set(before.suffix(3)).isSubset(of: Self.segments(after)))
        #expect(
            !after.contains("EXT-X-GAP") && !after.contains("EXT-X-DISCONTINUITY\n"),
            "\(after)\(stage.packager.program.errors)"
        )
        #expect(sender.program.isRunning)
        #expect(!stage.packager.program.errors.contains("input lost"))

        try stage.write(live(26, key: "other"))
        let rehearsal = try await stage.reload("?dry-run")
        let warnings = try JSONDecoder().decode(Report.self, from: rehearsal.body).warnings
        #expect(warnings.count == 1 && warnings[0].hasPrefix("channel live: an encoder that sends to \(place)"))
        #expect(!rehearsal.text.contains("secret"))
        #expect(sender.program.isRunning)
        _ = try await stage.reload()
        _ = await sender.program.exitCode()
        #expect(stage.packager.program.errors.contains("encoder cut off by a change of its input"))
        #expect(!stage.packager.program.errors.contains("secret"))
        await stage.packager.end()
    }

    /// Nobody could play what it lists.
    @Test func keysThatWouldBeOthersAreRefused() async throws {
        let secrets = try TemporaryDirectory()
        for (name, digits) in [("one", "5a"), ("other", "7b")] {
            let path = try secrets.write(String(repeating: digits, count: 32), to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        func live(_ secret: String) -> String {
            Self.looping("live", ", encryption: aes-128, key-secret: \(secrets.file(secret))")
        }
        let stage = try await Stage(live("one"))
        let before = Self.segments(try await stage.listed("live")).last
        try stage.write(live("other"))
        let answer = try await stage.reload()
        #expect(answer.status == 422)
        #expect(answer.text.contains("keys would differ"), "\(answer.text)")
        _ = try await eventually(within: 20, "it goes on") {
            let newest = Self.segments(try await stage.playlist("live") ?? "").last
            return newest != nil && newest != before ? true : nil
        }
        await stage.packager.end()
    }

    @Test func whatIsWrongChangesNothing() async throws {
        let stage = try await Stage(Self.looping("live") + Self.looping("b"))
        _ = try await stage.listed("live")
        // A file is where the channel's directory is to be, which shows when that is made.
        let blocked = try stage.directory.write("", to: "c")
        let mistakes: [(channels: String, problem: String)] = [
            ("  - {name: live, input: [", "packager.yaml"),
            ("  - {name: live, windw: 3}\n", "windw"),
            (Self.looping("live") + Self.looping("c", ", state: /proc/none"), "/proc/none"),
            (Self.looping("live") + Self.looping("c", ", state: \(stage.directory.path)"), blocked),
            (Self.looping("live", ", window: 15") + Self.looping("c", ", state: \(stage.directory.path)"), blocked),
            (Self.looping("live") + "  - {name: c, input: /none.ts}\n", "/none.ts"),
            (Self.looping("live", ", segment-duration: 2"), "segment-duration"),
        ]
        for (channels, problem) in mistakes {
            try stage.write(channels)
            for query in ["?dry-run", ""] {
                let answer = try await stage.reload(query)
                // What only shows when it is done is not in a rehearsal.
                if query.isEmpty || problem != blocked {
                    #expect(answer.status == 422, "\(channels)")
                    let problems = try JSONDecoder().decode(Problems.self, from: answer.body).problems
                    #expect(problems.contains { $0.contains(problem) }, "\(problems)")
                }
            }
            let names = try await HTTP.get("\(stage.packager.origin)/channels.json").text
            #expect(names == "{\"channels\":[\"live\",\"b\"]}\n")
            #expect(try await stage.playlist("live") != nil)
        }
        // What was rolled back continues.
        let number = Self.segments(try await stage.listed("live")).last
        _ = try await eventually(within: 10, "a new segment") {
            let newest = Self.segments(try await stage.playlist("live") ?? "").last
            return newest != nil && newest != number ? true : nil
        }
        #expect(try await stage.reload("?force").status == 400)
        #expect(try await HTTP.get("\(try stage.packager.control)/reload").status == 405)
        await stage.packager.end()
    }

    @Test func allMistakesOfMeaningAreSaidBeforehand() async throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
        let names = try directory.write("[]", to: "names.json")
        let file = try directory.write("", to: "file")
        let path = try directory.write(
            """
            channels:
              - {name: a, input: /none.ts, encryption: aes-128, key-secret: \(secret), localized-names: \(names)}
              - {name: b, input: \(Repository.feed), loop: true, on-loss: slate, slate: /none.mp4, ads: 'files:/none'}
              - {name: c, input: \(Repository.feed), loop: true, output: \(file), state: \(file)}
            """,
            to: "packager.yaml"
        )
        let program = try Program(Repository.packager, ["check-config", path])
        #expect(await program.exitCode() == 2)
        for mistake in [
            "/none.ts", secret, "names.json", "/none.mp4", "packager.yaml:3: channels[1].ads: ",
            "packager.yaml:4: channels[2].output: ", "packager.yaml:4: channels[2].state: ",
        ] {
            #expect(program.errors.contains(mistake), "\(mistake) in \(program.errors)")
        }
        // And nothing is made.
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)).count == 4)
        let good = try directory.write(
            "input: \(Repository.feed)\nloop: true\nencryption: aes-128\nstate: \(directory.file("s"))\n",
            to: "good.yaml"
        )
        let other = try directory.write("input: \(Repository.feed)\nloop: true\nname: b\n", to: "other.yaml")
        let check = try Program(Repository.packager, ["check-config", other, "--running", good])
        #expect(await check.exitCode() == 0)
        _ = try await eventually(within: 5, "it says what would be done") {
            check.output.contains("added b; removed live") ? true : nil
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("s")))
    }
}
