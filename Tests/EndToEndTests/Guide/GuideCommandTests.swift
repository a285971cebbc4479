import Foundation
import TestSupport
import Testing

/// Every block of commands and settings in README.md and the guide does what its page says, on this machine.
///
/// The mark before a block says how it is run: docs/contributing.md has all marks.
@Suite(.timeLimit(.minutes(10))) struct GuideCommandTests {
    private static let pages = GuidePage.paths.filter { path in
        let page = try? GuidePage(at: Repository.root.appending(path: path))
        return page?.blocks.contains { !$0.isOutput } == true
    }

    @Test(arguments: pages)
    func everyBlockDoesWhatItsPageSays(path: String) async throws {
        let reader = GuideReader(sandbox: try GuideSandbox())
        for block in try GuidePage(at: Repository.root.appending(path: path)).blocks where !block.isOutput {
            do {
                try await reader.follow(block)
            } catch {
                Issue.record("\(path):\(block.line): \(error)")
            }
        }
        await reader.end()
    }

    @Test func aCommandThatFailsIsFound() async throws {
        let reader = GuideReader(sandbox: try GuideSandbox())
        for (command, mark) in [
            ("packager --no-such-flag", "run: serves"), ("packager check-config no-such-file.yaml", "run"),
            ("curl http://127.0.0.1:8081/channels/other", "run: with channel live"), ("packager --version", "run it"),
        ] {
            let blocks = GuideBlock.blocks(of: "<!-- \(mark) -->\n\n    \(command)\n")
            await #expect(throws: (any Error).self, "\(command)") { try await reader.follow(blocks[0]) }
        }
        await reader.end()
    }
}

/// Somebody who does what a page of the guide says.
private actor GuideReader {
    private let sandbox: GuideSandbox
    /// A packager that has the channel of this name on air.
    private var packager: (channel: String, process: PackagerProcess)?

    init(sandbox: GuideSandbox) {
        self.sandbox = sandbox
    }

    /// Does what a block says.
    ///
    /// - Throws: Where its mark is unknown, or it does not do what the mark says.
    func follow(_ block: GuideBlock) async throws {
        guard let mark = block.mark else { throw Program.Failure(description: "no mark, or an unknown one") }
        try await sandbox.prepare(for: block.text)
        var addresses = GuideAddresses()
        switch mark {
        case .notRun, .runBy: break
        case .run: try await sandbox.run(addresses.localized(block.text))
        case .serves: for command in block.commands { try await serve(addresses.localized(command)) }
        case .sends: try await send(addresses.localized(block.text))
        case .withFeed: for command in block.commands { try await runFed(addresses.localized(command)) }
        case .withChannel(let name): try await runBeside(name, block.text)
        case .fragment(let whole): try await check(block.text, of: whole)
        }
    }

    func end() async {
        await packager?.process.end()
    }

    /// Starts a packager, sends its inputs a feed, and looks at what it serves.
    private func serve(_ command: String) async throws {
        let anywhere = "127.0.0.1:0"
        let shell = try sandbox.start(
            command,
            environment: [
                "PACKAGER_LISTEN": anywhere, "PACKAGER_CONTROL": anywhere, "PACKAGER_SEGMENT_DURATION": "1",
            ]
        )
        defer { sandbox.terminate() }
        let origin = try await eventually(within: 30, "packager listens") {
            let line = shell.output.split(separator: "\n").first { $0.hasPrefix("listening http") }
            let url = line.map { String($0.dropFirst("listening ".count).dropLast()) }
            return url ?? (shell.isRunning ? nil : "")
        }
        if origin.isEmpty { throw Program.Failure(description: "\(command)\nhas ended\n\(shell.errors)") }
        let feeds = try sandbox.feeds(for: command)
        try await ServedChannels.expectMedia(at: origin, of: shell)
        for feed in feeds { feed.program.terminate() }
        sandbox.terminate()
        let code = await shell.exitCode()
        // What writes into a pipe is ended as well.
        if !command.contains(" | ") { try sandbox.expectSuccess(code, of: shell, command) }
    }

    /// Starts an encoder, and looks at what a packager serves of its feed.
    private func send(_ command: String) async throws {
        guard let address = command.firstMatch(of: #/srt://127\.0\.0\.1:\d+/#)?.output else {
            throw Program.Failure(description: "no address to send to in \(command)")
        }
        let receiver = try await PackagerProcess(["--input", "\(address)?mode=listener"])
        // The encoder ends with the last reference to it.
        let shell = try sandbox.start(command)
        defer { sandbox.terminate() }
        try await ServedChannels.expectMedia(at: receiver.origin, of: shell)
        await receiver.end()
    }

    /// Runs a command to its end, and sends a feed to each address in it once it listens there.
    private func runFed(_ command: String) async throws {
        let shell = try sandbox.start(command)
        defer { sandbox.terminate() }
        let ports = command.matches(of: #/(?:udp|srt)://127\.0\.0\.1:(\d+)/#).compactMap { Int($0.output.1) }
        _ = try await eventually(within: 30, "it listens") {
            ports.allSatisfy { Ports.isBound($0) } || !shell.isRunning ? true : nil
        }
        let feeds = try sandbox.feeds(for: command)
        try sandbox.expectSuccess(await shell.exitCode(), of: shell, command)
        for feed in feeds { feed.program.terminate() }
    }

    /// Runs commands to their end beside a packager that has a channel on air.
    private func runBeside(_ channel: String, _ commands: String) async throws {
        if packager?.channel != channel {
            await end()
            packager = nil
            let process = try await start(channel)
            packager = (channel, process)
            try await ServedChannels.expectMedia(at: process.origin, of: process.program)
        }
        guard let process = packager?.process else { return }
        var addresses = try GuideAddresses(of: process)
        try await sandbox.run(addresses.localized(commands))
    }

    private func start(_ channel: String) async throws -> PackagerProcess {
        let configuration = try sandbox.write(
            """
            segment-duration: 1
            window: 30
            channels:
              - name: \(channel)
                input: \(Repository.smallFeed)
                backup: \(Repository.smallFeed)
                loop: true
                subtitles: [{language: en}]
            """,
            to: "running.yaml"
        )
        return try await PackagerProcess(["--config", configuration])
    }

    /// Has `packager check-config` look at settings.
    private func check(_ fragment: String, of whole: String) async throws {
        let input = "input: \"udp://127.0.0.1:5000\""
        let lines = fragment.split(separator: "\n", omittingEmptySubsequences: false)
        let text =
            whole == "channel"
            ? "channels:\n  - name: live\n    \(input)\n" + lines.map { "    \($0)\n" }.joined()
            : "\(input)\n\(fragment)\n"
        _ = try sandbox.write(text, to: "fragment.yaml")
        try await sandbox.run("packager check-config fragment.yaml")
    }
}
