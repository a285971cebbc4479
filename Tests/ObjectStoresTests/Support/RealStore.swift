import Foundation
import TestSupport

/// A store that is a program of others.
final class RealStore: Sendable {
    enum Kind: String, CaseIterable {
        case moto, seaweedfs, nginx
    }

    static let key = (id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

    /// Without a slash at its end.
    let url: String
    private let program: Program
    private let directory: TemporaryDirectory

    /// Starts it, and waits until it answers.
    init(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let program = try Program(
            Repository.python,
            [Repository.script("ObjectStoresTests/Stores/stores.py"), kind.rawValue, directory.path]
        )
        (self.directory, self.program) = (directory, program)
        url = try await eventually(within: 60, "\(kind) answers") {
            if let line = program.output.split(separator: "\n").first(where: { $0.hasPrefix("url ") }) {
                return String(line.dropFirst(4))
            }
            if !program.isRunning { throw Program.Failure(description: program.errors) }
            return nil
        }
    }

    deinit {
        program.kill()
    }
}
