import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// More clients than there is room for: viewers get their answers, and the packager continues packaging.
@Suite(.serialized) struct CrowdTests {
    private struct Held: Decodable {
        var connected: Int
    }

    private struct Polled: Decodable {
        var answers: Int
        var failures: Int
        var unanswered: Int
    }

    private struct Channel: Decodable {
        struct Journal: Decodable {
            var healthy: Bool
        }
        struct Rendition: Decodable {
            var gaps: Int
        }
        var journal: Journal?
        var renditions: [Rendition]
    }

    private struct Origin: Decodable {
        var connections: Int
        var maximumConnections: Int
        var displaced: Int
        var outOfDescriptors: Int
    }

    private struct Event: Decodable {
        var kind: String
        var message: String
    }

    /// A packager that has begun, and may have so many files open.
    private static func packager(files: Int, _ arguments: [String] = []) async throws -> PackagerProcess {
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12"] + arguments,
            openFiles: files
        )
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        return packager
    }

    private static func crowd(_ packager: PackagerProcess, _ arguments: [String], input: Pipe? = nil) throws -> Program
    {
        let script = Repository.script("EndToEndTests/Crowd/crowd.py")
        return try Program(Repository.python, [script, packager.url("index.m3u8")] + arguments, input: input)
    }

    private static func line<Value: Decodable & Sendable>(_ number: Int, of program: Program) async throws -> Value {
        try await eventually(within: 60, "the crowd has said it") {
            let lines = program.output.split(separator: "\n")
            guard lines.count > number else { return nil }
            return try JSONDecoder().decode(Value.self, from: Data(lines[number].utf8))
        }
    }

    private static func operated<Value: Decodable>(_ packager: PackagerProcess, _ path: String) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: try await HTTP.body("\(try packager.control)\(path)"))
    }

    /// CPU seconds of a process.
    private static func processorTime(_ program: Program) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(program.identifier)/stat", encoding: .utf8)
        // The name, which may have spaces, ends with a parenthesis; user and system time are the 14th and 15th fields.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func viewersWhoPollAreAllServed() async throws {
        let packager = try await Self.packager(files: 20_000)
        let crowd = try Self.crowd(packager, ["--connections", "5000", "--seconds", "12"])
        let polled: Polled = try await Self.line(0, of: crowd)
        print(polled)
        #expect(polled.unanswered == 0)
        #expect(polled.answers >= 10_000)
        let channels: [Channel] = try await Self.operated(packager, "/channels")
        #expect(channels.allSatisfy { $0.renditions.allSatisfy { $0.gaps == 0 } })
        await packager.end()
    }

    /// There is room for some 500 connections, and 1,200 viewers share it.
    @Test func moreViewersThanConnectionsAreAllServed() async throws {
        // All of them come from one address here.
        let packager = try await Self.packager(files: 700, ["--connections-per-address", "10000"])
        let crowd = try Self.crowd(packager, ["--connections", "1200", "--seconds", "12"])
        let polled: Polled = try await Self.line(0, of: crowd)
        print(polled)
        #expect(polled.unanswered == 0)
        let origin: Origin = try await Self.operated(packager, "/origin")
        #expect(origin.maximumConnections < 700)
        #expect(origin.displaced > 0)
        #expect(origin.outOfDescriptors == 0)
        let events: [Event] = try await Self.operated(packager, "/events")
        #expect(events.count { $0.kind == "connections" } == 1)
        await packager.end()
    }

    @Test func whoOnlyHoldsConnectionsShutsNobodyOut() async throws {
        let packager = try await Self.packager(files: 4096)
        let stop = Pipe()
        let crowd = try Self.crowd(
            packager,
            ["--connections", "4200", "--seconds", "60", "--idle", "--rate", "5000"],
            input: stop
        )
        let held: Held = try await Self.line(0, of: crowd)
        #expect(held.connected == 4200)
        for _ in 0..<5 {
            // The connections of the shared session are kept, so each is made anew; curl waits for twenty seconds.
            let answer = try await Program.run("curl", ["-sf", "-m", "20", packager.url("index.m3u8")])
            #expect(answer.hasPrefix("#EXTM3U"))
        }
        stop.fileHandleForWriting.closeFile()
        await packager.end()
    }

    /// Connections leave files to whatever else needs some, the journal above all.
    @Test func aCrowdLeavesFilesToTheJournal() async throws {
        let state = try TemporaryDirectory()
        let packager = try await Self.packager(files: 200, ["--state", state.file("state")])
        let stop = Pipe()
        let crowd = try Self.crowd(packager, ["--connections", "400", "--seconds", "60", "--idle"], input: stop)
        let _: Held = try await Self.line(0, of: crowd)
        let before = try Self.processorTime(packager.program)
        let begin = Date.now
        let newest = try await packager.mediaPlaylist("video-360p", "a playlist") { _ in true }.mediaSequence.value
        _ = try await packager.mediaPlaylist("video-360p", "four more slots") { $0.mediaSequence.value >= newest + 4 }
        let load = (try Self.processorTime(packager.program) - before) / Date.now.timeIntervalSince(begin)
        print("load with 400 connections for 200 files:", load)
        #expect(load < 0.7)
        let channels: [Channel] = try await Self.operated(packager, "/channels")
        #expect(channels.first?.journal?.healthy == true)
        stop.fileHandleForWriting.closeFile()
        await packager.end()
    }

    /// The server stops accepting while there is no descriptor left, and continues by itself.
    @Test func withoutDescriptorsAcceptingRests() async throws {
        let packager = try await Self.packager(files: 1000)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(packager.program.identifier)/fd").count
        try await Self.limit(packager.program, to: open + 8)
        let stop = Pipe()
        let crowd = try Self.crowd(packager, ["--connections", "60", "--seconds", "60", "--idle"], input: stop)
        let _: Held = try await Self.line(0, of: crowd)
        let before = try Self.processorTime(packager.program)
        let begin = Date.now
        // The load of some time is what is asked for, so time has to pass.
        try await Task.sleep(for: .seconds(4))
        let load = (try Self.processorTime(packager.program) - before) / Date.now.timeIntervalSince(begin)
        print("load without descriptors:", load)
        #expect(load < 0.5)
        try await Self.limit(packager.program, to: 1000)
        let answer = try await Program.run("curl", ["-sf", "-m", "20", packager.url("index.m3u8")])
        #expect(answer.hasPrefix("#EXTM3U"))
        let origin: Origin = try await Self.operated(packager, "/origin")
        #expect(origin.outOfDescriptors > 0)
        let events: [Event] = try await Self.operated(packager, "/events")
        #expect(events.count { $0.kind == "connections" } == 1)
        stop.fileHandleForWriting.closeFile()
        await packager.end()
    }

    /// Sets the soft limit: a process that may not raise its own could not raise another's hard limit again.
    private static func limit(_ program: Program, to files: Int) async throws {
        try await Program.run("prlimit", ["--pid", "\(program.identifier)", "--nofile=\(files):"])
    }
}
