extension MultivariantPlaylist {
    /// The server that tells players which pathway to use: EXT-X-CONTENT-STEERING (RFC 8216bis § 4.4.6.6).
    package struct Steering: Hashable, Sendable {
        /// The URI of the first steering manifest.
        package var serverURI: String
        /// The pathway that players begin with; nil for one of their choice.
        package var pathwayID: String?

        package init(serverURI: String, pathwayID: String? = nil) {
            (self.serverURI, self.pathwayID) = (serverURI, pathwayID)
        }

        /// The pathway of variants that name none (§ 4.4.6.2).
        package static let defaultPathway = "."
    }

    /// Names the steering server, and puts all variants on the first pathway; with nil, removes both.
    package mutating func steer(by steering: Steering?) {
        self.steering = steering
        for index in variants.indices { variants[index].pathwayID = steering?.pathwayID }
        for index in iFrameVariants.indices { iFrameVariants[index].pathwayID = steering?.pathwayID }
    }

    /// The pathways of its variants.
    package var pathways: Set<String> { Set(variants.map { $0.pathwayID ?? Steering.defaultPathway }) }
}

extension MultivariantPlaylist.Steering {
    /// Fails without SERVER-URI.
    init?(_ attributes: AttributeList) {
        guard let uri = attributes.quoted("SERVER-URI") else { return nil }
        self.init(serverURI: uri, pathwayID: attributes.quoted("PATHWAY-ID"))
    }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("SERVER-URI", quoted: serverURI)
        list.append("PATHWAY-ID", quoted: pathwayID)
        return list
    }
}
