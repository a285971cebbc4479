package import Fetching
package import MediaCore
import NIOCore

/// A server of advertisements that answers in VAST.
package struct AdServer: AdSource {
    private let address: AddressTemplate
    private let fetcher: any Fetcher
    private let reach: AdReach

    package init(_ address: AddressTemplate, fetcher: any Fetcher, reach: AdReach) {
        (self.address, self.fetcher, self.reach) = (address, fetcher, reach)
    }

    package func assets(for adBreak: AdBreak) async throws -> AssetList {
        let answer = try await fetcher.fetch(address.filled(adBreak.fields))
        return try await VASTReader(fetcher: fetcher, reach: reach).assets(in: Array(buffer: answer.body))
    }
}
