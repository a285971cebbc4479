/// A steering manifest: the order in which players use pathways (RFC 8216bis § 7.1).
package struct SteeringManifest: Hashable, Sendable, Codable {
    /// The version, which is 1.
    package var version = 1
    /// The seconds after which players ask again.
    package var ttl: Int
    /// The URI of the next request, relative to this manifest; nil for the same.
    package var reloadURI: String?
    /// The IDs of pathways, the one to use first.
    package var priority: [String]
    /// The pathways that the playlist does not name.
    package var clones: [Clone]?

    private enum CodingKeys: String, CodingKey {
        case version = "VERSION"
        case ttl = "TTL"
        case reloadURI = "RELOAD-URI"
        case priority = "PATHWAY-PRIORITY"
        case clones = "PATHWAY-CLONES"
    }

    package init(ttl: Int, reloadURI: String? = nil, priority: [String], clones: [Clone]? = nil) {
        self.ttl = ttl
        self.reloadURI = reloadURI
        self.priority = priority
        self.clones = clones
    }

    /// A pathway with the content of another one at other URIs (§ 7.2).
    package struct Clone: Hashable, Sendable, Codable {
        /// The pathway that it is a clone of.
        package var baseID: String
        package var id: String
        package var replacement: Replacement

        private enum CodingKeys: String, CodingKey {
            case baseID = "BASE-ID"
            case id = "ID"
            case replacement = "URI-REPLACEMENT"
        }

        package init(of baseID: String, id: String, host: String) {
            self.baseID = baseID
            self.id = id
            replacement = Replacement(host: host)
        }

        /// The differences of its URIs.
        package struct Replacement: Hashable, Sendable, Codable {
            /// The host, perhaps with a port.
            package var host: String?
            /// Parameters of the query.
            package var parameters: [String: String]?
            /// URIs by STABLE-VARIANT-ID.
            package var variants: [String: String]?
            /// URIs by STABLE-RENDITION-ID.
            package var renditions: [String: String]?

            private enum CodingKeys: String, CodingKey {
                case host = "HOST"
                case parameters = "PARAMS"
                case variants = "PER-VARIANT-URIS"
                case renditions = "PER-RENDITION-URIS"
            }
        }
    }
}

extension SteeringManifest {
    /// Returns the reasons why players cannot use it.
    ///
    /// - Parameter pathways: The pathways of the playlist.
    /// - Returns: The reasons, in words; none if players can use it.
    package func problems(forPathways pathways: Set<String>) -> [String] {
        var problems: [String] = []
        if version != 1 { problems.append("VERSION is \(version), not 1") }
        if ttl < 1 { problems.append("TTL is \(ttl)") }
        if priority.isEmpty { problems.append("PATHWAY-PRIORITY is empty") }
        if Set(priority).count < priority.count { problems.append("PATHWAY-PRIORITY names a pathway twice") }
        var known = pathways
        // A clone may be one of an earlier clone.
        for clone in clones ?? [] {
            if !known.contains(clone.baseID) {
                problems.append("the clone \(clone.id) is of \(clone.baseID), which is not there")
            }
            if !known.insert(clone.id).inserted { problems.append("there is \(clone.id) already, which is a clone") }
        }
        if known.isDisjoint(with: priority) { problems.append("PATHWAY-PRIORITY names no pathway that is there") }
        return problems
    }
}
