import Archive
import Conformance
import Foundation
import Logging
import NIOCore
import Presentation

/// The other packager of a pair, fed the same: asked at start for what cannot be derived from the clock.
struct Twin {
    /// Its origin: `http://10.0.0.2:8080`.
    let url: String
    let channel: String
    let logger: Logger

    /// It answers while a player would still wait, or not at all.
    private static let patience = Duration.seconds(5)

    /// Its window, with the bytes that this packager does not have.
    ///
    /// - Parameters:
    ///   - configuration: Of this packager.
    ///   - journal: What an earlier run of this packager has left; what that has published stays as it was.
    /// - Returns: The window to go on with; nil where there is none.
    /// - Throws: ``SetupError`` where the twin is configured otherwise, with all differences.
    func window(
        configuration: [String: String],
        continuing journal: RestoredWindow?
    ) async throws(SetupError) -> RestoredWindow? {
        let limits = OriginClient.Configuration(timeout: Self.patience)
        let answer: Result<RestoredWindow?, SetupError> = await OriginClient.withClient(limits) { client in
            do throws(FetchError) {
                let answer = try await client.fetch("\(url)/\(channel)/window.json")
                guard let document = try? TwinDocument(json: answer.body.readableBytesView) else {
                    logger.warning("peer", metadata: ["url": "\(url)", "problem": "its window cannot be read"])
                    return .success(journal)
                }
                let differences = document.differences(from: configuration)
                guard differences.isEmpty else {
                    let list = differences.joined(separator: "; ")
                    return .failure(SetupError("peer of channel \(channel), \(url): \(list)"))
                }
                return .success(await copy(document.window, after: journal, client))
            } catch {
                logger.warning("peer", metadata: ["url": "\(url)", "problem": "\(error)"])
                return .success(journal)
            }
        }
        return try answer.get()
    }

    private func copy(
        _ window: SavedWindow,
        after journal: RestoredWindow?,
        _ client: OriginClient
    ) async
        -> RestoredWindow
    {
        let window = journal?.window.continued(by: window) ?? window
        var bodies = journal?.bodies ?? [:]
        for file in window.files where bodies[file.path] == nil {
            // What is lost makes the window begin later.
            bodies[file.path] = try? await client.fetch("\(url)/\(channel)/\(file.path)").body
        }
        return RestoredWindow(window: window, bodies: bodies)
    }
}
