import MediaCore

/// A destination that playlists and segments are sent to.
package struct PushDescription: Hashable, Sendable {
    /// `s3://BUCKET/PREFIX`, or the URL of a server that takes PUT and DELETE; without a slash at its end.
    package var url = ""
    /// The URL of the store of a bucket; nil for Amazon's.
    package var endpoint: String?
    /// The region of the store; nil for the environment's.
    package var region: String?
    package var addressing = BucketAddressing.automatic
    /// The file of the credentials; nil for those of the environment or of the machine.
    package var credentialsFile: String?
    /// The PEM file of the authorities for the store's certificate; nil for those of the system.
    package var authorityFile: String?
    package var expired = ExpiredObjects.delete
    /// Bytes on disk for objects that are sent later than the origin serves them.
    package var backlog = 1 << 30
    /// The bits that are sent there in a second, on average; nil for no limit.
    package var rate: Int?
    /// True if finished recordings are sent there as well.
    package var sendsRecordings = false

    package init() {}

    /// The way in which a URL names a bucket.
    package enum BucketAddressing: String, Hashable, Sendable, CaseIterable {
        case automatic, path, host
    }

    /// The fate of objects that no player can want any more.
    package enum ExpiredObjects: String, Hashable, Sendable, CaseIterable {
        case delete, keep
    }

    /// The bucket and the folder in it; nil for a server.
    package var bucket: (name: String, prefix: String)? {
        guard url.hasPrefix(Self.bucketScheme) else { return nil }
        let parts = url.dropFirst(Self.bucketScheme.count).split(separator: "/", maxSplits: 1)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    }

    static let bucketScheme = "s3://"

    /// Reads `s3://media/live?region=eu-central-1&expired=keep`.
    static func layer(_ written: WrittenValue) -> SettingLayer {
        var layer = SettingLayer(origin: written.origin)
        layer.values["url"] = [written]
        let parts = written.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return layer }
        var options: [String: [WrittenValue]] = [:]
        let names = Set(settings.map(\.declaration.name)).subtracting(["url"])
        for option in parts[1].split(separator: "&") {
            let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // A parameter that is no option belongs to the URL, which may have none.
            guard pair.count == 2, names.contains(String(pair[0])), let text = PercentEncoding.decoded(pair[1]) else {
                return layer
            }
            options[String(pair[0]), default: []].append(WrittenValue(text: text, origin: written.origin))
        }
        layer.values = options
        layer.values["url"] = [WrittenValue(text: String(parts[0]), origin: written.origin)]
        return layer
    }
}
