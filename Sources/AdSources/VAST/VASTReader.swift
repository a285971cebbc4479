package import Fetching
import MediaCore
import NIOCore

/// Makes an asset list of VAST 2 to 4, following wrappers to what they wrap.
package struct VASTReader: Sendable {
    private let fetcher: any Fetcher

    /// IAB VAST 4.2 § 2.4.1.4 advises no more than five wrappers.
    private static let maximumDepth = 5
    private static let maximumAds = 100

    package init(fetcher: any Fetcher) { self.fetcher = fetcher }

    /// - Returns: What of it players of HLS can play; of ads that are no pod the first that has any.
    /// - Throws: ``AdSourceError`` where it is no VAST, and what its fetcher throws for a wrapper that leads nowhere while
    ///   there is nothing else to play.
    package func assets(in document: [UInt8]) async throws -> AssetList {
        try await assets(in: document, depth: 0)
    }

    private func assets(in document: [UInt8], depth: Int) async throws -> AssetList {
        let document = try VASTDocument(parsing: document)
        // § 3.3.1: numbered ads are a pod, and played in their order; others are alternatives.
        let pod = document.ads.filter { $0.sequence != nil }.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        var list = AssetList()
        var failure: (any Error)?
        for ad in (pod.isEmpty ? document.ads : pod).prefix(Self.maximumAds) {
            do {
                let found = try await assets(of: ad, depth: depth)
                list.assets += found.assets
                list.skipControl = list.skipControl ?? found.skipControl
            } catch {
                failure = failure ?? error
            }
            if pod.isEmpty, !list.assets.isEmpty { break }
        }
        if list.assets.isEmpty, let failure { throw failure }
        return list
    }

    private func assets(of ad: VASTDocument.Ad, depth: Int) async throws -> AssetList {
        switch ad.content {
        case .inline(let creatives):
            let playable = creatives.compactMap(\.asset)
            guard !playable.isEmpty else {
                throw AdSourceError("the ad \(ad.id ?? "without an id") has no media file of HLS with a duration")
            }
            return AssetList(playable, skipControl: creatives.lazy.compactMap(\.skipControl).first)
        case .wrapper(let url):
            guard depth < Self.maximumDepth else {
                throw AdSourceError("there are more than \(Self.maximumDepth) wrappers one in another")
            }
            guard url.isHTTPURL else {
                throw AdSourceError("a wrapper leads to '\(SecretMask.masked(url))', which is no address")
            }
            return try await assets(in: Array(buffer: try await fetcher.fetch(url).body), depth: depth + 1)
        }
    }
}
