import Archive
import Channels
import Fetching
import Foundation
import MediaCore
import NIOCore
import PackagerConfig
import Presentation

/// The other packager of a pair, fed the same: asked at start for what cannot be derived from the clock.
struct PeerWindowReader {
    /// Its origin: `http://10.0.0.2:8080`.
    let url: String
    let channel: String
    /// Bytes of segments that are taken over at most.
    let maximumBytes: Int
    let watch: PeerWatch

    /// It answers while a player would still wait, or not at all.
    private static let limits = OriginClient.Configuration(timeout: .seconds(5))
    /// What cannot be had in this time is left: the window begins later then.
    private static let patience = Duration.seconds(10)

    /// What it says when it is asked at start.
    struct Answer {
        /// The window to go on with, empty where nothing is published yet.
        var window: RestoredWindow
        /// Whether it waits for this packager itself.
        var isJoining: Bool
        /// Its clock when it answered, to the second; nil where that is not said.
        var clock: MediaTime?
    }

    /// Its window, with the bytes that this packager does not have.
    ///
    /// - Parameters:
    ///   - configuration: Of this packager.
    ///   - journal: What an earlier run of this packager has left; what that has published stays as it was.
    /// - Returns: Its answer; nil where there is none.
    /// - Throws: ``SetupError`` where the peer is configured so that it publishes other bytes, with all such differences.
    func window(
        configuration: [String: String],
        continuing journal: RestoredWindow?
    ) async throws(SetupError) -> Answer? {
        let answer: Result<Answer?, SetupError> = await OriginClient.withClient(Self.limits) { client in
            let document: PeerDocument
            let clock: MediaTime?
            switch await ask(client) {
            case nil: return .success(nil)
            case .refusal(let refusal): return .failure(disagreement([refusal.difference(from: configuration)]))
            case .document(let told, let date): (document, clock) = (told, date)
            }
            let differences = document.differences(
                from: configuration,
                defaults: ChannelConfiguration.identityOfDefaults
            )
            let refused = differences.filter { ChannelConfiguration.effect(of: $0.name) != .rolling }
            guard refused.isEmpty else {
                return .failure(disagreement(refused.map(\.text)))
            }
            watch.noteDifferences(differences.map(\.text))
            let bodies = await copy(document.window, keeping: journal?.bodies ?? [:], client)
            let window = journal?.window.continued(by: document.window) ?? document.window
            let restored = RestoredWindow(window: window, bodies: bodies)
            return .success(Answer(window: restored, isJoining: document.isJoining, clock: clock))
        }
        return try answer.get()
    }

    private func disagreement(_ differences: [String]) -> SetupError {
        SetupError("peer of channel \(channel), \(url): \(differences.joined(separator: "; "))")
    }

    /// Tells the channel what the peer publishes until it can go on with that, or has waited too long.
    ///
    /// - Parameters:
    ///   - channel: One that has begun to join.
    ///   - number: Of the newest slot that it knows already.
    func lead(_ channel: Channels.Channel, continuing number: MediaSequenceNumber?) async {
        await OriginClient.withClient(Self.limits) { client in
            var number = number
            while let known = channel.windowOfPeer, !Task.isCancelled {
                // Only asking tells what the peer has published.
                try? await Task.sleep(for: .milliseconds(100))
                guard case .document(let document, _) = await ask(client), let newest = document.window.lastNumber,
                    newest > number ?? newest.previous
                else { continue }
                number = newest
                let bodies = await copy(document.window, keeping: known.bodies, client)
                let window = known.window.continued(by: document.window)
                channel.peerPublished(RestoredWindow(window: window, bodies: bodies))
            }
        }
    }

    private enum Told {
        case document(PeerDocument, clock: MediaTime?)
        case refusal(PeerRefusal)
    }

    private func ask(_ client: OriginClient) async -> Told? {
        do throws(FetchError) {
            let (isRefusal, answer) = try await client.fetch(
                "\(url)/\(channel)/window.json",
                credentials: watch.credentials
            )
            if isRefusal {
                if let refusal = try? PeerRefusal(json: answer.body.readableBytesView) { return .refusal(refusal) }
                // Whoever stands in front of it wants to know who asks.
                throw .status(401)
            }
            let document = try? PeerDocument(json: answer.body.readableBytesView)
            watch.noteSilence(nil)
            watch.note(document == nil ? "its window cannot be read" : nil)
            return document.map { .document($0, clock: answer.date) }
        } catch {
            watch.noteSilence("\(error)")
            return nil
        }
    }

    /// The bytes that a window names, as far as they are there.
    private func copy(
        _ window: SavedWindow,
        keeping known: [String: ByteBuffer],
        _ client: OriginClient
    ) async -> [String: ByteBuffer] {
        var bodies = known
        var byteCount = known.values.reduce(0) { $0 + $1.readableBytes }
        let deadline = ContinuousClock.now + Self.patience
        // The newest first: what is lost makes the window begin later.
        let files = window.files.sorted { $0.lastNumber > $1.lastNumber }
        for file in files where bodies[file.path] == nil && byteCount < maximumBytes && ContinuousClock.now < deadline {
            do throws(FetchError) {
                let body = try await client.fetch("\(url)/\(channel)/\(file.path)").body
                bodies[file.path] = body
                byteCount += body.readableBytes
            } catch {
                // One that is gone says nothing of the others; a peer that does not answer does.
                if case .status = error { continue }
                break
            }
        }
        return bodies
    }
}
