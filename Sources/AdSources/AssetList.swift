package import Foundation
import MediaCore

/// The advertisements that a player plays in a break, one after the other: the JSON that X-ASSET-LIST names (RFC
/// 8216bis § D.2).
package struct AssetList: Hashable, Sendable {
    package struct Asset: Hashable, Sendable {
        /// The URI of a finished playlist; relative to the address of the list if it is beside it.
        var uri: String
        var seconds: Double

        /// Seconds: a day.
        static let longest: Double = 86_400

        package init(uri: String, seconds: Double) {
            (self.uri, self.seconds) = (uri, seconds)
        }
    }

    /// The time in which viewers may skip (§ D.3).
    package struct SkipControl: Hashable, Sendable, Codable {
        var offset: Int?
        var duration: Int?
        var labelID: String?

        private enum CodingKeys: String, CodingKey {
            case offset = "OFFSET"
            case duration = "DURATION"
            case labelID = "LABEL-ID"
        }
    }

    /// The most ads of a break.
    private static let mostAssets = 256

    package var assets: [Asset]
    var skipControl: SkipControl?

    package init(_ assets: [Asset] = [], skipControl: SkipControl? = nil) {
        (self.assets, self.skipControl) = (assets, skipControl)
    }

    /// - Throws: ``AdSourceError`` if the text is not such a list.
    package init(parsing json: Data) throws(AdSourceError) {
        do {
            self = try JSONDecoder().decode(AssetList.self, from: json)
        } catch {
            throw AdSourceError("its answer is no asset list: \(Self.reason(error))")
        }
        guard assets.count <= Self.mostAssets else {
            throw AdSourceError("its answer has \(assets.count) advertisements; \(Self.mostAssets) are the most")
        }
        let times = [skipControl?.offset, skipControl?.duration].compactMap(\.self)
        guard times.allSatisfy((0...Int(Asset.longest)).contains) else {
            throw AdSourceError("its SKIP-CONTROL is not within a day")
        }
        for asset in assets {
            guard asset.uri.isHTTPURL else { throw AdSourceError("'\(asset.uri)' is not an absolute address") }
            guard asset.seconds > 0, asset.seconds <= Asset.longest else {
                throw AdSourceError("\(asset.seconds) is not how long an advertisement lasts")
            }
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "there is no \(key.stringValue)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.last?.stringValue ?? "it") is of another type than it should be"
        default: "it is not JSON"
        }
    }

    package func json() throws -> Data { try JSONEncoder.canonical.encode(self) }

    /// Returns the list with the absolute addresses of assets beside it, as clients need them (§ D.2).
    package func resolved(against base: String) -> AssetList {
        var list = self
        for index in list.assets.indices where !list.assets[index].uri.isHTTPURL {
            list.assets[index].uri = base + list.assets[index].uri
        }
        return list
    }
}

extension AssetList: Codable {
    private enum CodingKeys: String, CodingKey {
        case assets = "ASSETS"
        case skipControl = "SKIP-CONTROL"
    }
}

extension AssetList.Asset: Codable {
    private enum CodingKeys: String, CodingKey {
        case uri = "URI"
        case seconds = "DURATION"
    }
}

extension String {
    var isHTTPURL: Bool {
        wholeMatch(of: /https?:\/\/[^\/\s"]+(\/[^\s"]*)?/.ignoresCase()) != nil
    }
}
