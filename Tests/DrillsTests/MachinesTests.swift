import Foundation
import TestSupport
import Testing

@testable import Drills

/// Machines of a drill, where this user may make them.
struct MachinesTests {
    /// Asks at a port where nobody listens: a machine that is there refuses.
    private func reaches(_ address: String, from command: [String] = []) async -> Bool {
        let words = command + ["timeout", "1", "bash", "-c", "exec 3<>/dev/tcp/\(address)/9"]
        guard let caller = try? Program(words[0], Array(words.dropFirst())) else { return false }
        _ = await caller.exitCode()
        return caller.errors.contains("Connection refused")
    }

    @Test func aMachineThatIsCutOffAnswersNothing() async throws {
        guard let machines = try? await Machines(2) else { return }
        #expect(await reaches(machines.address(1)))
        #expect(await reaches(machines.address(2), from: machines.command(1)))
        try await machines.cut(2)
        try await machines.cut(2)
        #expect(await !reaches(machines.address(2)))
        #expect(await !reaches(machines.address(2), from: machines.command(1)))
        #expect(await reaches(machines.address(1)))
        try await machines.connect(2)
        #expect(
            try await eventually(within: 30, "the machine is back") { await reaches(machines.address(2)) ? true : nil }
        )
        await machines.remove()
        for number in 1...2 {
            let name = try #require(machines.command(number).last)
            #expect(!FileManager.default.fileExists(atPath: "/run/netns/\(name)"))
        }
    }
}
