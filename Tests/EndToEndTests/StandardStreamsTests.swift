import Foundation
import TestSupport
import Testing

/// Standard streams that nobody reads, that are closed, or that stand still: the stream of pictures continues.
@Suite(.serialized) struct StandardStreamsTests {
    enum Collector: String, CaseIterable {
        /// A pipe that is open and never read, as of a log collector that hangs.
        case hangs
        /// A terminal on which someone has pressed Ctrl-S.
        case stoppedTerminal

        /// A program that starts another with such a standard error.
        var launcher: [String] {
            let make =
                switch self {
                case .hangs: "reader, writer = os.pipe()"
                case .stoppedTerminal: "reader, writer = pty.openpty(); termios.tcflow(writer, termios.TCOOFF)"
                }
            let script = """
                import os, pty, sys, termios
                \(make)
                os.set_inheritable(reader, True)
                os.dup2(writer, 2)
                os.execv(sys.argv[1], sys.argv[1:])
                """
            return ["-c", script]
        }
    }

    @Test(arguments: Collector.allCases)
    func aLogThatNobodyReadsHoldsUpNothing(collector: Collector) async throws {
        let program = try Program(
            "python3",
            collector.launcher + [
                Repository.packager, "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "8",
                "--log-level", "trace", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
            ]
        )
        defer { program.kill() }
        let playlist = try await eventually(within: 20, "the playlist is there") {
            guard let line = program.output.split(separator: "\n").first(where: { $0.hasPrefix("listening ") }) else {
                return String?.none
            }
            let url = "\(line.dropFirst("listening ".count))live/video-360p.m3u8"
            return try await HTTP.get(url).status == 200 ? url : nil
        }
        let before = try await HTTP.body(playlist)
        // A line a request, far more than a pipe holds.
        for _ in 0..<1500 { _ = try await HTTP.body("\(playlist)?\(String(repeating: "x", count: 100))") }
        _ = try await eventually(within: 10, "the playlist goes on") {
            try await HTTP.body(playlist) != before ? true : nil
        }
        let asked = Date.now
        program.terminate()
        #expect(await program.exitCode() == 0)
        // Nobody would ever read what is left.
        #expect(Date.now.timeIntervalSince(asked) < 15)
    }

    /// Redirections of a shell.
    @Test(arguments: [">&-", "2>&-", ">&- 2>&- <&-", ">/dev/full", "2>/dev/full"])
    func aStreamThatIsClosedOrFullEndsNothing(redirection: String) async throws {
        let (port, control) = (Ports.free(), Ports.free())
        let program = try Program(
            "sh",
            [
                "-c", "exec \"$@\" \(redirection)", "sh", Repository.packager, "--input", Repository.feed, "--loop",
                "--listen", "127.0.0.1:\(port)", "--control", "127.0.0.1:\(control)", "--segment-duration", "1",
            ]
        )
        defer { program.kill() }
        try await expectLife(of: program, at: port)
    }

    @Test func readersThatLeaveEndNothing() async throws {
        let (port, control) = (Ports.free(), Ports.free())
        let program = try Program(
            "python3",
            [
                "-c",
                """
                import os, sys
                reader, writer = os.pipe()
                os.close(reader)
                os.dup2(writer, 1)
                os.dup2(writer, 2)
                os.execv(sys.argv[1], sys.argv[1:])
                """,
                Repository.packager, "--input", Repository.feed, "--loop",
                "--listen", "127.0.0.1:\(port)", "--control", "127.0.0.1:\(control)", "--segment-duration", "1",
            ]
        )
        defer { program.kill() }
        try await expectLife(of: program, at: port)
    }

    private func expectLife(of program: Program, at port: Int) async throws {
        let url = "http://127.0.0.1:\(port)/live/video-360p.m3u8"
        let isServed = try await eventually(within: 20, "the playlist is there") { () async throws -> Bool? in
            // One that has ended will not answer.
            if !program.isRunning { return false }
            return try await HTTP.get(url).status == 200 ? true : nil
        }
        #expect(isServed && program.isRunning, "it has ended by itself")
        program.terminate()
        #expect(await program.exitCode() == 0)
    }

    @Test func whatWasLostIsSaidOnceThereIsAReaderAgain() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free()
        let program = try Program(
            "python3",
            [
                "-c",
                """
                import os, sys, time
                reader, writer = os.pipe()
                if os.fork():
                    os.dup2(writer, 2)
                    os.set_inheritable(reader, True)
                    os.execv(sys.argv[2], sys.argv[2:])
                os.close(writer)
                packager = os.getppid()
                while not os.path.exists(sys.argv[1]) and os.getppid() == packager: time.sleep(0.05)
                with os.fdopen(reader, errors="replace") as lines:
                    for line in lines:
                        if "log lines were lost" in line: print(line, end="", flush=True)
                """,
                directory.file("read"), Repository.packager, "--input", Repository.feed, "--loop", "--listen",
                "127.0.0.1:\(port)", "--control", "127.0.0.1:0", "--log-level", "trace",
            ]
        )
        defer { program.kill() }
        let url = "http://127.0.0.1:\(port)/nothing/"
        _ = try await eventually(within: 20, "it answers") { try await HTTP.get(url).status == 404 ? true : nil }
        // Lines of 300 bytes and more, until a megabyte of them waits.
        for _ in 0..<4000 { _ = try await HTTP.get(url + String(repeating: "x", count: 300)) }
        _ = try directory.write("", to: "read")
        let said = try await eventually(within: 20, "the loss is said") {
            program.output.split(separator: "\n").first { $0.contains("lost") }
        }
        #expect(said.contains("warning"))
    }
}
