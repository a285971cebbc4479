import Foundation
import TestSupport
import Testing

@testable import Drills

/// Uses a shell script where the packager would be.
struct DrilledPackagerTests {
    private static func withPackager<Result>(
        _ script: String,
        _ body: (DrilledPackager) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "packager").path
        try "#!/bin/sh\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let launch = PackagerLaunch(program: program, configuration: "c.yaml", state: nil, disk: nil)
        let log = folder.appending(path: "log").path
        let packager = DrilledPackager(
            "packager-1",
            launch: launch,
            logPath: log,
            patience: .milliseconds(200),
            grace: .milliseconds(300)
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await packager.run() }
            return try await body(packager)
        }
    }

    /// A program that prints the addresses of a packager, with the ports that it is given, or others where those are 0.
    private static let listener = """
        case $4 in *:0) l=127.0.0.1:4001 c=127.0.0.1:4002;; *) l=$4 c=$6;; esac
        echo "info starting" >&2; echo "control http://$c/"; echo "listening http://$l/"; exec sleep 600
        """

    @Test func packagerReportsItsAddresses() async throws {
        try await Self.withPackager(Self.listener) { packager in
            packager.start()
            let addresses = try await packager.listening()
            #expect(addresses == PackagerLaunch.Addresses(listen: "127.0.0.1:4001", control: "127.0.0.1:4002"))
        }
    }

    @Test func itIsKilledAndListensAgainWhereItDid() async throws {
        try await Self.withPackager(Self.listener) { packager in
            packager.start()
            _ = try await packager.listening()
            let first = try #require(packager.identifier)
            packager.kill()
            packager.start(peer: "http://127.0.0.1:9")
            _ = try await eventually(within: 60) { packager.identifier.map { $0 != first } ?? false ? true : nil }
            #expect(try await packager.listening() == .init(listen: "127.0.0.1:4001", control: "127.0.0.1:4002"))
            #expect(
                packager.commands.last?.suffix(6) == [
                    "--listen", "127.0.0.1:4001", "--control", "127.0.0.1:4002", "--peer", "http://127.0.0.1:9",
                ]
            )
        }
    }

    /// One that hangs after it was started again has not ended, and yet it is of no use.
    @Test func whatDoesNotListenAgainIsReported() async throws {
        let script = "[ -e said ] && exec sleep 600; touch said; \(Self.listener)".replacing(
            "said",
            with: "\"$0.said\""
        )
        try await Self.withPackager(script) { packager in
            packager.start()
            _ = try await packager.listening()
            let first = try #require(packager.identifier)
            packager.kill()
            packager.start()
            _ = try await eventually(within: 60) { packager.identifier.map { $0 != first } ?? false ? true : nil }
            let end = try await eventually(within: 60, "it is reported") { packager.ends.first }
            #expect(end == "packager-1 does not listen since it was started again")
            // One that the drill ends is not blamed.
            packager.kill()
            #expect(packager.ends.isEmpty)
        }
    }

    @Test func failedStartReportsItsReason() async throws {
        try await Self.withPackager("echo 'packager: no such input' >&2; exit 2") { packager in
            packager.start()
            let error = await #expect(throws: DrillError.self) { try await packager.listening() }
            let text = error?.description ?? ""
            #expect(text.contains("packager: no such input"))
            #expect(text.contains("exited(2)"))
        }
    }

    /// One that goes when it is asked to, and one that does not.
    @Test(arguments: ["exec sleep 600", "trap '' TERM; while :; do sleep 1; done"])
    func nothingIsLeftRunning(script: String) async throws {
        let words = "echo 'control http://a:1/'; echo 'listening http://a:2/';"
        let (packager, identifier) = try await Self.withPackager("\(words) \(script)") { packager in
            packager.start()
            _ = try await packager.listening()
            return (packager, try #require(packager.identifier))
        }
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(identifier)"))
        #expect(packager.ends == [])
    }

    @Test func unexpectedEndIsRecorded() async throws {
        let script = "echo 'control http://a:1/'; echo 'listening http://a:2/'; kill -SEGV $$"
        try await Self.withPackager(script) { packager in
            packager.start()
            let end = try await eventually(within: 60) { packager.ends.first }
            #expect(end == "packager-1 ended by itself: signaled(11)")
        }
    }
}
