import Foundation
import TestSupport

/// A directory in which commands of the guide run, with the files that they name.
final class GuideSandbox: Sendable {
    private let directory: TemporaryDirectory
    private let sessionPorts = ["hd.sdp": Ports.free(datagram: true), "sd.sdp": Ports.free(datagram: true)]

    /// Makes it, with programs that note their processes; its `curl` fails where it is refused.
    ///
    /// - Throws: Where files cannot be made.
    init() throws {
        directory = try TemporaryDirectory()
        let files = FileManager.default
        for path in ["bin", "var/lib", "srv", "etc/packager"] {
            try files.createDirectory(atPath: directory.file(path), withIntermediateDirectories: true)
        }
        for name in ["Config", "Samples"] {
            let original = Repository.root.appending(path: name).path
            try files.createSymbolicLink(atPath: directory.file(name), withDestinationPath: original)
        }
        let found = #"env PATH="$GUIDE_PATH""#
        let curl = "\(found) curl --silent --show-error --fail-with-body --max-time 30"
        for (name, command) in ["packager": "'\(Repository.packager)'", "ffmpeg": "\(found) ffmpeg", "curl": curl] {
            let script = "#!/bin/sh\necho $$ >> '\(directory.file(".processes"))'\nexec \(command) \"$@\"\n"
            let file = try directory.write(script, to: "bin/\(name)")
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
    }

    deinit {
        send(SIGKILL)
    }

    /// Writes a file.
    ///
    /// - Returns: Its path.
    /// - Throws: Where it cannot be written.
    func write(_ text: String, to name: String) throws -> String { try directory.write(text, to: name) }

    /// Starts commands in a shell.
    ///
    /// - Parameters:
    ///   - commands: Lines of the guide, with addresses of this machine.
    ///   - environment: Added to this process's.
    /// - Returns: The shell, which ends with the last reference to it.
    /// - Throws: An error if there is no such shell.
    func start(_ commands: String, environment: [String: String] = [:]) throws -> Program {
        let inside = commands.replacing(#/(^|[\s=>'"])\/(var\/lib|srv|etc\/packager)\b/#) { match in
            "\(match.output.1)\(directory.path)/\(match.output.2)"
        }
        // What a block sets, the next one of the page has.
        let script = """
            set -aeuo pipefail
            cd '\(directory.path)'
            [ ! -e .variables ] || . ./.variables
            \(inside)
            [ -v PACKAGER_LISTEN ] || export -p > .variables
            """
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let own = ["PATH": "\(directory.path)/bin:\(path)", "GUIDE_PATH": path]
        return try Program("bash", ["-c", script], environment: own.merging(environment) { own, _ in own })
    }

    /// Runs commands in a shell to their end.
    ///
    /// - Throws: `Program.Failure` where the exit code is not 0.
    func run(_ commands: String) async throws {
        let shell = try start(commands)
        defer { forgetProcesses() }
        try expectSuccess(await shell.exitCode(), of: shell, commands)
    }

    /// Returns if an exit code is 0.
    ///
    /// - Throws: `Program.Failure` with what the shell has written.
    func expectSuccess(_ code: Int32, of shell: Program, _ commands: String) throws {
        if code == 0 { return }
        throw Program.Failure(description: "\(commands)\nexit code \(code)\n\(shell.errors)\(shell.output)")
    }

    /// Asks the programs that the last commands have started to end.
    func terminate() {
        send(SIGTERM)
        forgetProcesses()
    }

    /// The senders of a feed for each input that a command has, or for each address that it probes.
    ///
    /// - Throws: Where FFmpeg is not installed.
    func feeds(for command: String) throws -> [FeedSender] {
        let programs = command.matches(of: #/--program (\d+)/#).map { String($0.output.1) }
        return try command.matches(of: #/(?:--input|--backup|probe) '?([^\s']+)/#).compactMap { match in
            try feed(for: String(match.output.1), programs: programs)
        }
    }

    private func feed(for input: String, programs: [String]) throws -> FeedSender? {
        let feed = Repository.smallFeed
        let port = input.split { !$0.isNumber }.compactMap { Int($0) }.first { $0 > 1000 } ?? 0
        if input.hasPrefix("udp:") {
            // The audio of the first program, and that of the second beside a picture of its own.
            let maps = programs.count == 2 ? ["-map", "0:v"] : []
            let tables = zip(programs, ["st=0:st=1", "st=3:st=2"]).flatMap { ["-program", "program_num=\($0):\($1)"] }
            return try FeedSender.udp(port: port, options: maps + tables + FeedSender.utc, feed: feed)
        }
        if input.hasPrefix("srt:") {
            let destination = ["-f", "mpegts", "srt://127.0.0.1:\(port)?mode=caller"]
            return try FeedSender(to: destination, options: FeedSender.utc, feed: feed)
        }
        if input.hasPrefix("rtmp:") { return try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", input], feed: feed) }
        guard let sessionPort = sessionPorts[input] else { return nil }
        let destination = ["-map", "-0:a", "-f", "rtp", "rtp://127.0.0.1:\(sessionPort)?pkt_size=1200"]
        return try FeedSender(to: destination, feed: feed)
    }

    private func forgetProcesses() {
        try? FileManager.default.removeItem(atPath: directory.file(".processes"))
    }

    private func send(_ signal: Int32) {
        let noted = (try? String(contentsOfFile: directory.file(".processes"), encoding: .utf8)) ?? ""
        for process in noted.split(separator: "\n").compactMap({ Int32($0) }) { kill(process, signal) }
    }
}

extension GuideSandbox {
    /// Makes the files that commands name, and that nothing before them in the guide has made.
    ///
    /// - Throws: Where FFmpeg, or the packager, does not make them.
    func prepare(for commands: String) async throws {
        func names(_ file: String) -> Bool { commands.contains(file) && !exists(file) }
        if names("master.key") { try secret("master.key") }
        if names("hook.key") { try secret("hook.key") }
        if names("s3.credentials") {
            try secret("s3.credentials", "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = example\n")
        }
        if names("cdn.fields") { try secret("cdn.fields", "Authorization: Basic dXNlcjpleGFtcGxl\n") }
        if names("captions.vtt") {
            _ = try write("WEBVTT\n\n00:00:00.000 --> 23:59:59.000\nHello\n", to: "captions.vtt")
        }
        if names("film.mp4") || names("/srv/live") {
            try await run("ffmpeg -v error -y -i Samples/feed-180p.ts -map 0:v -map 0:a:0 -c copy film.mp4")
        }
        if names("/srv/live") {
            let flags = "--encryption sample-aes --key-rotation 300 --key-secret master.key --window 60"
            let nowhere = "--listen 127.0.0.1:0 --control 127.0.0.1:0"
            try await run("packager --input film.mp4 --no-realtime --output /srv/live \(flags) \(nowhere)")
        }
        if names("files:ads") {
            let playlists = "-f hls -hls_playlist_type vod -master_pl_name index.m3u8 ads/spot/media.m3u8"
            try await run("mkdir -p ads/spot; ffmpeg -v error -y -i Samples/feed-180p.ts -map 0:v -c copy \(playlists)")
        }
        if names("/etc/packager/packager.yaml") {
            let channel = "channels:\n  - {name: live, input: \"udp://127.0.0.1:5000\"}\n"
            _ = try write(channel, to: "etc/packager/packager.yaml")
        }
        for (name, port) in sessionPorts where names(name) { _ = try write(Self.session(port), to: name) }
    }

    private func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: directory.file(file)) }

    private func secret(_ name: String, _ text: String = String(repeating: "5a", count: 32)) throws {
        let file = try write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    /// A session description (SDP) of a picture.
    private static func session(_ port: Int) -> String {
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=-
        c=IN IP4 127.0.0.1
        t=0 0
        m=video \(port) RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1

        """
    }
}
