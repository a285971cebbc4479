import Foundation
import TestSupport
import Testing

@testable import Drills

struct DrillStageTests {
    /// Makes everything for a scenario, with a shell script where the packager would be.
    private func withStage(_ text: String, _ body: (DrillStage, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "packager").path
        let script = """
            #!/bin/sh
            test "${2%2.yaml}" = "$2" && n=1 || n=2
            echo "control http://127.0.0.1:400$n/"; echo "listening http://127.0.0.1:500$n/"; exec sleep 600
            """
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let scenario = try Scenario.load(text, file: "drill.yaml") { _ in Repository.feed }
        let stage = try await DrillStage(scenario, program: program, folder: folder.appending(path: "drill"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for packager in stage.packagers { group.addTask { await packager.run() } }
            try await body(stage, folder.appending(path: "drill"))
        }
    }

    @Test func theMembersOfAPairGetTheSameFeedsAndKnowEachOther() async throws {
        let text = """
            description: D
            duration: 20
            packager: { clock: pts, encryption: aes-128, state: true }
            packagers: 2
            inputs: [{ transport: srt }]
            backups: [{}]
            expect: { gap: 0 }
            """
        try await withStage(text) { stage, folder in
            let addresses = try await stage.startPackagers()
            #expect(addresses.map(\.listen) == ["127.0.0.1:5001", "127.0.0.1:5002"])
            let commands = stage.packagers.flatMap(\.commands)
            func value(_ name: String, _ command: [String]) -> String? {
                command.firstIndex(of: name).map { command[$0 + 1] }
            }
            let listens = commands.map { "http://" + (value("--listen", $0) ?? "") }
            let peers = commands.map { value("--peer", $0) ?? "" }
            #expect(peers == [listens[1], listens[0]])

            let files = try (1...2).map {
                try String(contentsOf: folder.appending(path: "packager-\($0).yaml"), encoding: .utf8)
            }
            #expect(files[0] != files[1])
            for (index, file) in files.enumerated() {
                let keys = file.split(separator: "\n").compactMap { $0.split(separator: ":").first }
                #expect(keys == ["clock", "encryption", "input", "backup", "key-secret", "state"])
                #expect(file.contains("key-secret: '\(folder.path)/master.key'"))
                #expect(file.contains("state: '\(folder.path)/state-\(index + 1)'"))
                #expect(file.contains("input: 'srt://127.0.0.1:"))
            }
            // What is shown says nothing of the secret.
            #expect(stage.commands.count == 6)
            #expect(!stage.commands.contains { $0.line.contains("master.key") })

            stage.clear()
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/master.key"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/state-1"))
        }
    }

    @Test func aLimitedDiskIsFilledAndFreed() async throws {
        // Not every machine lets everybody mount.
        guard (try? await PackagerLaunch.check(.limited(1 << 20))) != nil else { return }
        let text = """
            description: D
            duration: 20
            packager: { state: true }
            disk: { size: 1M }
            inputs: [{}]
            expect: { gap: 0 }
            """
        try await withStage(text) { stage, folder in
            _ = try await stage.startPackagers()
            let identifier = try #require(stage.packagers[0].identifier)
            let state = "/proc/\(identifier)/root\(folder.path)/state-1"
            try stage.fillDisk(of: 1)
            let size = try FileManager.default.attributesOfItem(atPath: "\(state)/filler")[.size] as? Int
            #expect(size == 1 << 20)
            try stage.freeDisk(of: 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
        }
    }
}
