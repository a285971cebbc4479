package import Fetching
package import MediaCore
import NIOCore

/// A server of advertisements that answers in VAST.
package struct AdServer: AdSource {
    private let address: AddressTemplate
    private let fetcher: any Fetcher

    package init(_ address: AddressTemplate, fetcher: any Fetcher) {
        (self.address, self.fetcher) = (address, fetcher)
    }

    package func assets(for adBreak: AdBreak) async throws -> AssetList {
        let answer = try await fetcher.fetch(address.filled(adBreak.fields))
        return try await VASTReader(fetcher: fetcher).assets(in: Array(buffer: answer.body))
    }
}
