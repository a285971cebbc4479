import MediaCore

/// A destination of objects, by HTTP.
package struct PushDestination: Hashable, Sendable {
    /// The way in which a URL names a bucket.
    package enum Addressing: String, Hashable, Sendable {
        case path, host
    }

    /// The configured URL.
    package let name: String
    /// True if the name of a bucket is not enough, because another store has one of that name.
    package var namesItsServer = false
    /// The name for operators, logs and metrics.
    package var shownName: String { namesItsServer ? "\(name) at \(host)" : name }
    /// `https://host:port`.
    private let origin: String
    /// The path before those of objects, percent-encoded; empty, or with a slash at its beginning.
    private let prefix: String

    /// A bucket, or a folder in it.
    ///
    /// - Parameters:
    ///   - bucket: The name of the bucket.
    ///   - prefix: The folder; empty for none.
    ///   - endpoint: The URL of the store; nil for Amazon's.
    ///   - region: The region of Amazon's store.
    ///   - addressing: The way to name the bucket; nil for the usual: Amazon's has it in the host, unless its name has
    ///     a dot, which no certificate covers.
    /// - Returns: The destination; its name is `s3://BUCKET/FOLDER`.
    package static func bucket(
        _ bucket: String,
        prefix: String,
        endpoint: String?,
        region: String,
        addressing: Addressing?
    ) -> PushDestination {
        let url = endpoint ?? "https://s3.\(region).amazonaws.com"
        let (origin, base) = split(url)
        let usual: Addressing = endpoint == nil && !bucket.contains(".") ? .host : .path
        let folder = prefix.split(separator: "/").map { "/" + String($0).percentEncoded }.joined()
        let name = "s3://\(bucket)\(prefix.split(separator: "/").map { "/\($0)" }.joined())"
        switch addressing ?? usual {
        case .path:
            return PushDestination(name, origin, "\(base)/\(bucket.percentEncoded)\(folder)")
        case .host:
            return PushDestination(
                name,
                origin.replacing("://", with: "://\(bucket).", maxReplacements: 1),
                base + folder
            )
        }
    }

    /// A server that takes PUT and DELETE below a URL, as those with WebDAV and the entry points of CDNs do.
    ///
    /// - Parameter url: Absolute, http or https, without a query.
    /// - Returns: The destination; its name is the URL, with its secrets masked.
    package static func server(_ url: String) -> PushDestination {
        let (origin, path) = split(url)
        return PushDestination(SecretMask.masked(url), origin, path)
    }

    private init(_ name: String, _ origin: String, _ prefix: String) {
        (self.name, self.origin, self.prefix) = (name, origin, prefix)
    }

    /// The value of `Host`, without a default port, as clients write it.
    var host: String {
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        let usual = origin.hasPrefix("https") ? ":443" : ":80"
        return String(authority.hasSuffix(usual) ? authority.dropLast(usual.count) : authority)
    }

    /// The path of an object, percent-encoded.
    func path(of object: String) -> String {
        prefix + object.split(separator: "/").map { "/" + String($0).percentEncoded }.joined()
    }

    /// The absolute URL of an object.
    func url(of object: String) -> String { origin + path(of: object) }

    /// The origin of a URL, with scheme and host in lower case, and its path without a slash at its end.
    private static func split(_ url: String) -> (origin: String, path: String) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, "") }
        let end = url[start...].firstIndex(of: "/") ?? url.endIndex
        var path = url[end...]
        while path.last == "/" { path.removeLast() }
        return (url[..<end].lowercased(), String(path))
    }
}
