import ArgumentParser
import Fetching
import Operations

/// Observation of streams for a while, as by `check` and `compare`.
enum Observation {
    /// - Throws: `ValidationError` if it is no address that can be fetched.
    static func validate(url: String) throws {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ValidationError("\(url) is not an http or https URL.")
        }
    }

    /// - Throws: `ValidationError` if it is no time that can be waited for, in seconds.
    static func validate(duration: Double) throws {
        guard (0...1e9).contains(duration) else {
            throw ValidationError("--duration must be 0 seconds or more.")
        }
    }

    /// Observes a stream, and shows the progress on a terminal.
    ///
    /// - Parameters:
    ///   - purpose: The purpose, for the message where there is no stream.
    ///   - look: Observes through a client, and reports its progress from time to time.
    /// - Returns: The observation, which is printed.
    /// - Throws: `ExitCode` 1 if there is no stream.
    static func run<Result: Sendable>(
        for purpose: String,
        _ look:
            @Sendable (OriginClient, _ progress: @escaping @Sendable (String) -> Void) async throws(FetchError) ->
            Result
    ) async throws -> Result {
        let terminal = LineWriter.standardError
        let result: Result
        do throws(FetchError) {
            // A channel that has not begun holds requests for up to 15 s.
            result = try await OriginClient.withClient(.init(timeout: .seconds(20))) { client throws(FetchError) in
                try await look(client) { if terminal.isTerminal { terminal.show(progress: $0) } }
            }
        } catch {
            terminal.write("packager: no \(purpose): \(error)")
            throw ExitCode(1)
        }
        if terminal.isTerminal { terminal.show(progress: "") }
        print(result)
        return result
    }
}
