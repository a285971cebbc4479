import Fetching
package import MediaCore
import NIOCore

/// Fetches recorded slots and media from the other member of a pair.
package struct PeerRecordingReader: RecordingPeer {
    private let watch: PeerWatch
    private let hasSecret: Bool
    private let documents: OriginClient
    private let files: OriginClient

    /// The time for an answer; the largest segment fits in it over a slow line.
    private static let patience = Duration.seconds(30)

    /// Lends a reader for the time of `body`.
    ///
    /// - Parameters:
    ///   - watch: Has the peer's address.
    ///   - hasSecret: True if both members hold a secret, so that the peer gives media of any age.
    ///   - longestAnswer: The most bytes of an answer about slots.
    ///   - longestFile: The most bytes of a segment.
    ///   - body: Asks.
    package static func withReader(
        of watch: PeerWatch,
        hasSecret: Bool,
        longestAnswer: Int,
        longestFile: Int,
        _ body: (PeerRecordingReader) async -> Void
    ) async {
        let documents = OriginClient(configuration(watch, maximumBytes: longestAnswer))
        let files = OriginClient(configuration(watch, maximumBytes: longestFile))
        await body(PeerRecordingReader(watch: watch, hasSecret: hasSecret, documents: documents, files: files))
        await documents.shutdown()
        await files.shutdown()
    }

    private static func configuration(_ watch: PeerWatch, maximumBytes: Int) -> OriginClient.Configuration {
        OriginClient.Configuration(
            timeout: patience,
            maximumBytes: maximumBytes,
            followsRedirects: false,
            authorities: watch.authorities,
            connectionsPerOrigin: 1
        )
    }

    private init(watch: PeerWatch, hasSecret: Bool, documents: OriginClient, files: OriginClient) {
        (self.watch, self.hasSecret, self.documents, self.files) = (watch, hasSecret, documents, files)
    }

    package func slots(in numbers: Range<MediaSequenceNumber>) async -> PeerRecordingAnswer {
        let query = "first=\(numbers.lowerBound)&count=\(numbers.count)"
        return await answer(documents, "\(watch.url)/\(watch.channel)/recorded.json?\(query)")
    }

    package func media(_ path: String) async -> PeerRecordingAnswer {
        if hasSecret { return await answer(files, "\(watch.url)/\(watch.channel)/recorded/\(path)") }
        // Without a secret it has no more for a peer than for viewers.
        return await answer(files, "\(watch.url)\(watch.mediaPrefix())/\(watch.channel)/\(path)")
    }

    private func answer(_ client: OriginClient, _ url: String) async -> PeerRecordingAnswer {
        do throws(FetchError) {
            let (isRefusal, answer) = try await client.fetch(url, credentials: watch.credentials)
            return isRefusal ? .silence("it has another key-secret, or none") : .body(answer.body)
        } catch {
            return PeerRecordingAnswer(error)
        }
    }
}
