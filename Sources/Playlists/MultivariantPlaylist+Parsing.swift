extension MultivariantPlaylist {
    /// Reads the text of a multivariant playlist back into its value.
    ///
    /// Tags and attributes that the value cannot hold are passed over.
    ///
    /// - Throws: ``PlaylistParsingError`` where a tag is malformed or misplaced, or one that must be there is missing.
    package init(parsing text: String) throws(PlaylistParsingError) {
        self.init(variants: [], hasIndependentSegments: false)
        var announced: Variant?
        let lines = try PlaylistLine.lines(of: text)
        for line in lines {
            switch line.content {
            case .uri(let uri):
                guard var variant = announced else { throw line.error(.unannouncedURI) }
                variant.uri = uri
                variants.append(variant)
                announced = nil
            case .tag("EXT-X-STREAM-INF", let value):
                announced = AttributeList(parsing: value).flatMap(Variant.init)
                if announced == nil { throw line.error(.malformed(tag: "EXT-X-STREAM-INF")) }
            case .tag("EXT-X-INDEPENDENT-SEGMENTS", _): hasIndependentSegments = true
            case .tag(let name, let value): try take(tag: name, value: value, line: line)
            }
        }
        if variants.isEmpty {
            throw PlaylistParsingError(line: lines.last?.number ?? 1, reason: .missing(tag: "EXT-X-STREAM-INF"))
        }
    }

    private mutating func take(tag name: String, value: Substring, line: PlaylistLine) throws(PlaylistParsingError) {
        switch name {
        case "EXT-X-SESSION-KEY":
            guard let key = AttributeList(parsing: value).flatMap(EncryptionKey.init) else {
                throw line.error(.malformed(tag: name))
            }
            sessionKeys.append(key)
        case "EXT-X-MEDIA":
            guard let attributes = AttributeList(parsing: value), let type = attributes.enumerated("TYPE") else {
                throw line.error(.malformed(tag: name))
            }
            guard type == "AUDIO" else { return }
            guard let rendition = Rendition(attributes) else { throw line.error(.malformed(tag: name)) }
            renditions.append(rendition)
        case "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE", "EXTINF", "EXT-X-KEY",
            "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME", "EXT-X-GAP", "EXT-X-DISCONTINUITY", "EXT-X-ENDLIST":
            throw line.error(.misplaced(tag: name))
        default: break
        }
    }
}

extension MultivariantPlaylist.Variant {
    /// All but the URI, which follows on a line of its own; nil without BANDWIDTH.
    fileprivate init?(_ attributes: AttributeList) {
        guard let bandwidth = attributes.decimalInteger("BANDWIDTH") else { return nil }
        self.init(
            uri: "",
            bandwidth: bandwidth,
            averageBandwidth: attributes.decimalInteger("AVERAGE-BANDWIDTH"),
            codecs: attributes.quoted("CODECS")?.split(separator: ",").map(String.init) ?? [],
            resolution: attributes.resolution("RESOLUTION"),
            frameRate: attributes.decimalRatio("FRAME-RATE"),
            audioGroup: attributes.quoted("AUDIO")
        )
    }
}

extension MultivariantPlaylist.Rendition {
    /// Nil without GROUP-ID or NAME.
    fileprivate init?(_ attributes: AttributeList) {
        guard let groupID = attributes.quoted("GROUP-ID"), let name = attributes.quoted("NAME") else { return nil }
        self.init(
            groupID: groupID,
            name: name,
            language: attributes.quoted("LANGUAGE"),
            isDefault: attributes.flag("DEFAULT"),
            isAutoselect: attributes.flag("AUTOSELECT"),
            channels: attributes.quoted("CHANNELS"),
            characteristics: attributes.quoted("CHARACTERISTICS"),
            uri: attributes.quoted("URI")
        )
    }
}
