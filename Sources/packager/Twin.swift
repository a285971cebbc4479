import Archive
import Conformance
import Foundation
import Logging
import MediaCore
import NIOCore
import Packaging
import Presentation

/// The other packager of a pair, fed the same: asked at start for what cannot be derived from the clock.
struct Twin {
    /// Its origin: `http://10.0.0.2:8080`.
    let url: String
    let channel: String
    let logger: Logger

    /// It answers while a player would still wait, or not at all.
    private static let limits = OriginClient.Configuration(timeout: .seconds(5))

    /// Its window, with the bytes that this packager does not have.
    ///
    /// - Parameters:
    ///   - configuration: Of this packager.
    ///   - journal: What an earlier run of this packager has left; what that has published stays as it was.
    /// - Returns: The window to go on with, empty where nothing is published yet; nil where it does not answer.
    /// - Throws: ``SetupError`` where the twin is configured otherwise, with all differences.
    func window(
        configuration: [String: String],
        continuing journal: RestoredWindow?
    ) async throws(SetupError) -> RestoredWindow? {
        let answer: Result<RestoredWindow?, SetupError> = await OriginClient.withClient(Self.limits) { client in
            guard let document = await document(client) else { return .success(nil) }
            let differences = document.differences(from: configuration)
            guard differences.isEmpty else {
                let list = differences.joined(separator: "; ")
                return .failure(SetupError("peer of channel \(channel), \(url): \(list)"))
            }
            return .success(await copy(document.window, after: journal, client))
        }
        return try answer.get()
    }

    /// Lets the channel go on where the twin is, once it can; returns when it does, with the twin or without.
    ///
    /// - Parameter restored: What was taken from the twin already.
    func lead(_ channel: Packaging.Channel, continuing restored: RestoredWindow) async {
        await OriginClient.withClient(Self.limits) { client in
            while channel.isJoining, !Task.isCancelled {
                if let number = channel.joinsBehind, let window = await document(client)?.window,
                    let newest = window.lastNumber, newest >= number
                {
                    channel.join(await copy(window, after: restored, client))
                } else {
                    // Only asking tells what the twin has published.
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
        }
    }

    private func document(_ client: OriginClient) async -> TwinDocument? {
        do throws(FetchError) {
            let answer = try await client.fetch("\(url)/\(channel)/window.json")
            if let document = try? TwinDocument(json: answer.body.readableBytesView) { return document }
            logger.warning("peer", metadata: ["url": "\(url)", "problem": "its window cannot be read"])
        } catch {
            logger.warning("peer", metadata: ["url": "\(url)", "problem": "\(error)"])
        }
        return nil
    }

    private func copy(
        _ window: SavedWindow,
        after earlier: RestoredWindow?,
        _ client: OriginClient
    ) async -> RestoredWindow {
        let window = earlier?.window.continued(by: window) ?? window
        var bodies = earlier?.bodies ?? [:]
        for file in window.files where bodies[file.path] == nil {
            // What is lost makes the window begin later.
            bodies[file.path] = try? await client.fetch("\(url)/\(channel)/\(file.path)").body
        }
        return RestoredWindow(window: window, bodies: bodies)
    }
}
