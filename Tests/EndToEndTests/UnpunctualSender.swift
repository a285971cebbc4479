import Foundation
import TestSupport

/// A program that sends, but stands still for a moment over and over, so that what it sends comes late and in bursts.
final class UnpunctualSender: Sendable {
    private let program: Program
    private let interruptions: Task<Void, Never>

    init(_ program: Program) {
        self.program = program
        interruptions = Task {
            var random = SeededGenerator(seed: 1)
            // These times are the fault itself; nothing is waited for.
            while !Task.isCancelled, program.isRunning {
                try? await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
                Foundation.kill(program.identifier, SIGSTOP)
                try? await Task.sleep(for: .milliseconds(Int.random(in: 20...300, using: &random)))
                Foundation.kill(program.identifier, SIGCONT)
            }
        }
    }

    deinit {
        kill()
    }

    /// Ends it at once.
    func kill() {
        interruptions.cancel()
        program.kill()
    }
}
