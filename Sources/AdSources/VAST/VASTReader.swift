package import Fetching
import MediaCore
import NIOCore

/// Makes an asset list of VAST 2 to 4, and follows wrappers.
package struct VASTReader: Sendable {
    private let fetcher: any Fetcher
    private let reach: AdReach

    /// IAB VAST 4.2 § 2.4.1.4 advises no more than five wrappers.
    private static let maximumDepth = 5
    // For one break, in all its documents.
    private static let maximumAds = 100
    private static let maximumFetches = 20
    private static let maximumBytes = 4 << 20

    /// The amounts that the documents of one break have taken.
    private struct Usage {
        var ads = 0
        var fetches = 0
        var bytes = 0
    }

    /// - Parameters:
    ///   - fetcher: The fetcher for wrapped documents.
    ///   - reach: Decides which servers wrappers and media files may be on.
    package init(fetcher: any Fetcher, reach: AdReach) {
        (self.fetcher, self.reach) = (fetcher, reach)
    }

    /// - Returns: The ads that HLS players can play; without a pod, only the first of them.
    /// - Throws: ``AdSourceError`` if it is not VAST, and the error of the fetcher for a wrapper that cannot be fetched
    ///   while there is nothing else to play.
    package func assets(in document: [UInt8]) async throws -> AssetList {
        var usage = Usage()
        // One ad may have many creatives.
        let creatives = try await creatives(in: document, depth: 0, &usage).prefix(Self.maximumAds)
        return AssetList(creatives.compactMap(\.asset), skipControl: Self.skipControl(of: creatives))
    }

    /// - Returns: The creatives with assets, in the order in which they are played.
    private func creatives(
        in document: [UInt8],
        depth: Int,
        _ usage: inout Usage
    ) async throws -> [VASTDocument.Creative] {
        usage.bytes += document.count
        guard usage.bytes <= Self.maximumBytes else {
            throw AdSourceError("its documents are longer than \(Self.maximumBytes) bytes in all")
        }
        let document = try VASTDocument(parsing: document)
        // § 3.3.1: numbered ads are a pod, and played in their order; others are alternatives.
        let pod = document.ads.filter { $0.sequence != nil }.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        var list: [VASTDocument.Creative] = []
        var failure: (any Error)?
        for ad in pod.isEmpty ? document.ads : pod where usage.ads < Self.maximumAds {
            usage.ads += 1
            do {
                list += try await creatives(of: ad, depth: depth, &usage)
            } catch {
                failure = failure ?? error
            }
            if pod.isEmpty, !list.isEmpty { break }
        }
        if list.isEmpty, let failure { throw failure }
        return list
    }

    private func creatives(
        of ad: VASTDocument.Ad,
        depth: Int,
        _ usage: inout Usage
    ) async throws -> [VASTDocument.Creative] {
        switch ad.content {
        case .inline(let creatives):
            let playable = creatives.filter { $0.asset != nil }
            guard !playable.isEmpty else {
                throw AdSourceError("the ad \(ad.id ?? "without an id") has no media file of HLS with a duration")
            }
            if let asset = playable.compactMap(\.asset).first(where: { !reach.allows($0.uri) }) {
                throw AdSourceError("the media file '\(asset.uri)' is not on a public server")
            }
            return playable
        case .wrapper(let url):
            guard depth < Self.maximumDepth else {
                throw AdSourceError("there are more than \(Self.maximumDepth) wrappers one in another")
            }
            guard url.isHTTPURL else {
                throw AdSourceError("a wrapper leads to '\(SecretMask.masked(url))', which is no address")
            }
            guard reach.allows(url) else {
                throw AdSourceError("a wrapper leads to '\(SecretMask.masked(url))', which is not on a public server")
            }
            usage.fetches += 1
            guard usage.fetches <= Self.maximumFetches else {
                throw AdSourceError("there are more than \(Self.maximumFetches) wrappers")
            }
            return try await creatives(
                in: Array(buffer: try await fetcher.fetch(url).body),
                depth: depth + 1,
                &usage
            )
        }
    }

    /// The skip control of a whole list (RFC 8216bis § D.3), which ends the list.
    ///
    /// Skipping would skip later advertisements too, so the control only appears in the last one, once viewers may
    /// skip that.
    private static func skipControl(of creatives: ArraySlice<VASTDocument.Creative>) -> AssetList.SkipControl? {
        guard let offset = creatives.last?.skipOffset else { return nil }
        let lengths = creatives.map { $0.asset?.seconds ?? 0 }
        let start = (lengths.dropLast().reduce(0, +) + offset).rounded(.up)
        guard start < lengths.reduce(0, +) else { return nil }
        return Int(exactly: start).map { AssetList.SkipControl(offset: $0) }
    }
}
