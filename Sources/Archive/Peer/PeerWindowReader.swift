import Fetching
import Foundation
package import MediaCore
import NIOCore
package import Presentation

/// Reads the window of the other packager of a pair, which cannot be derived from the clock, at the start.
package struct PeerWindowReader: Sendable {
    private let watch: PeerWatch
    private let maximumBytes: Int
    private let limits: OriginClient.Configuration

    /// - Parameters:
    ///   - watch: Has the peer's address, and gets its health.
    ///   - maximumBytes: The most bytes of segments that are taken over.
    ///   - timeout: It answers while a player would still wait, or not at all.
    package init(watch: PeerWatch, maximumBytes: Int, timeout: Duration = .seconds(5)) {
        self.watch = watch
        self.maximumBytes = maximumBytes
        limits = OriginClient.Configuration(timeout: timeout, followsRedirects: false, authorities: watch.authorities)
    }

    private var url: String { "\(watch.url)/\(watch.channel)" }

    /// The time for all segments together; the window begins after the last one that has not come in this time.
    private static let patience = Duration.seconds(10)

    /// The peer's answer at start.
    package struct Answer: Sendable {
        /// The window to continue with, empty if nothing is published yet.
        package var window: RestoredWindow
        /// True if it waits for this packager itself.
        package var isJoining: Bool
        /// The peer's clock when it answered, to the second; nil if its answer has no date.
        package var clock: MediaTime?
    }

    /// Fetches the peer's window, with the bytes that this packager does not have.
    ///
    /// - Parameters:
    ///   - configuration: The settings of this packager.
    ///   - defaults: Values for settings that one of the two does not name.
    ///   - mayDiffer: True if the peer may have another version for a while.
    ///   - journal: The window of an earlier run of this packager, whose lines must not change.
    /// - Returns: The peer's window; nil if there is none.
    /// - Throws: ``PeerDisagreement`` if the peer is configured so that it publishes other bytes, with all such
    ///   differences.
    package func window(
        configuration: [String: String],
        defaults: [String: String] = [:],
        mayDiffer: (String) -> Bool = { _ in false },
        continuing journal: RestoredWindow?
    ) async throws(PeerDisagreement) -> Answer? {
        let answer: Result<Answer?, PeerDisagreement> = await OriginClient.withClient(limits) { client in
            let document: PeerDocument
            let clock: MediaTime?
            switch await ask(client) {
            case nil: return .success(nil)
            case .refusal(let refusal): return .failure(disagreement([refusal.difference(from: configuration)]))
            case .document(let told, let date): (document, clock) = (told, date)
            }
            let differences = document.differences(from: configuration, defaults: defaults)
            let refused = differences.filter { !mayDiffer($0.name) }
            guard refused.isEmpty else { return .failure(disagreement(refused.map(\.text))) }
            watch.noteDifferences(differences.map(\.text))
            let bodies = await copy(document.window, keeping: journal, client)
            let window = journal?.window.continued(by: document.window) ?? document.window
            let restored = RestoredWindow(
                window: window,
                bodies: bodies,
                stored: journal?.stored ?? [:],
                parts: journal?.parts ?? SavedParts()
            )
            return .success(Answer(window: restored, isJoining: document.isJoining, clock: clock))
        }
        return try answer.get()
    }

    private func disagreement(_ differences: [String]) -> PeerDisagreement {
        PeerDisagreement(channel: watch.channel, url: watch.url, differences: differences)
    }

    /// Passes the peer's publications to a channel until it can continue from them, or has waited too long.
    ///
    /// - Parameters:
    ///   - number: The number of the newest slot that the channel knows already.
    ///   - known: The window that it knows; nil once it waits no longer.
    ///   - published: Gets all that the peer lists, whenever that is more.
    package func lead(
        continuing number: MediaSequenceNumber?,
        known: () -> RestoredWindow?,
        published: (RestoredWindow) -> Void
    ) async {
        await OriginClient.withClient(limits) { client in
            var number = number
            while let known = known(), !Task.isCancelled {
                // The peer does not report publications, so it is polled.
                try? await Task.sleep(for: .milliseconds(100))
                guard case .document(let document, _) = await ask(client), let newest = document.window.lastNumber,
                    newest > number ?? newest.previous
                else { continue }
                number = newest
                let bodies = await copy(document.window, keeping: known, client)
                let window = known.window.continued(by: document.window)
                published(
                    RestoredWindow(window: window, bodies: bodies, stored: known.stored, parts: known.parts)
                )
            }
        }
    }

    private enum PollResult {
        case document(PeerDocument, clock: MediaTime?)
        case refusal(PeerRefusal)
    }

    private func ask(_ client: OriginClient) async -> PollResult? {
        do throws(FetchError) {
            let (isRefusal, answer) = try await client.fetch(
                "\(url)/window.json",
                credentials: watch.credentials
            )
            if isRefusal {
                if let refusal = try? PeerRefusal(json: Data(answer.body.readableBytesView)) {
                    return .refusal(refusal)
                }
                // A proxy in front of it requires credentials.
                throw .status(401)
            }
            let document = try? PeerDocument(json: Data(answer.body.readableBytesView))
            watch.noteSilence(nil)
            watch.note(document == nil ? "its window cannot be read" : nil)
            return document.map { .document($0, clock: answer.date) }
        } catch {
            watch.noteSilence("\(error)")
            return nil
        }
    }

    /// Fetches the files that a window names; missing ones are left out.
    private func copy(
        _ window: SavedWindow,
        keeping known: RestoredWindow?,
        _ client: OriginClient
    ) async -> [String: ByteBuffer] {
        var bodies = known?.bodies ?? [:]
        var byteCount = bodies.values.reduce(0) { $0 + $1.readableBytes }
        let deadline = ContinuousClock.now + Self.patience
        let media = "\(watch.url)\(watch.mediaPrefix())/\(watch.channel)"
        // The newest come first: a lost one makes the window begin later.
        let files = window.files.filter { known?.stored[$0.path] == nil }.sorted { $0.lastNumber > $1.lastNumber }
        for file in files where bodies[file.path] == nil && byteCount < maximumBytes && ContinuousClock.now < deadline {
            do throws(FetchError) {
                let body = try await client.fetch("\(media)/\(file.path)").body
                bodies[file.path] = body
                byteCount += body.readableBytes
            } catch {
                // A missing segment says nothing about the others; a peer without an answer does.
                if case .status = error { continue }
                break
            }
        }
        return bodies
    }
}
