import Foundation
import TestSupport

/// A server in Python that takes webhooks, or does not.
final class Receiver: Sendable {
    struct Request: Decodable, Equatable {
        var path: String
        var event: Int
        var signed: Bool
        var kind: String
        var number: Int
        var answer: String
    }

    private struct Start: Decodable { var port: Int }

    private let program: Program
    private let input = Pipe()
    private let port: Int

    /// - Parameter behaviours: What paths answer, as `receiver.py` says.
    /// - Throws: If it does not start.
    init(_ behaviours: [String]) async throws {
        let program = try Program(
            Repository.python,
            [Repository.script("EventDeliveryTests/Webhooks/receiver.py")] + behaviours,
            input: input
        )
        self.program = program
        port = try await eventually(within: 20, "the receiver listens") {
            let line = program.output.split(separator: "\n").first
            return try line.map { try JSONDecoder().decode(Start.self, from: Data($0.utf8)).port }
        }
    }

    deinit {
        program.kill()
    }

    /// From now on a `gate` lets everybody through.
    func open() throws { try input.fileHandleForWriting.write(contentsOf: Data("open\n".utf8)) }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func requests(_ path: String) -> [Request] {
        program.output.split(separator: "\n").dropFirst()
            .compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }.filter { $0.path == path }
    }

    /// Waits until a path has taken so many.
    func taken(_ count: Int, at path: String) async throws -> [Request] {
        try await eventually(within: 30, "\(path) has taken \(count)") {
            let taken = self.requests(path).filter { $0.answer == "200" }
            return taken.count >= count ? taken : nil
        }
    }
}
