import MediaCore

extension MultivariantPlaylist {
    /// Reads the text of a multivariant playlist into its value.
    ///
    /// Tags and attributes that the value cannot hold are ignored.
    ///
    /// - Parameters:
    ///   - text: As it was received.
    ///   - values: The values of variables from the query; other variables stay as they are.
    /// - Throws: ``PlaylistParsingError`` if a tag is malformed or misplaced, or a mandatory one is missing.
    package init(parsing text: String, values: [String: String] = [:]) throws(PlaylistParsingError) {
        self.init(variants: [], hasIndependentSegments: false)
        var announced: Variant?
        let lines = try PlaylistLine.lines(of: text, given: values)
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
            case .tag("EXT-X-DEFINE", _):
                guard let variable = line.content.variable else { throw line.error(.malformed(tag: "EXT-X-DEFINE")) }
                variables.append(variable)
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
        case "EXT-X-START":
            start = AttributeList(parsing: value).flatMap(Start.init)
            if start == nil { throw line.error(.malformed(tag: name)) }
        case "EXT-X-CONTENT-STEERING":
            guard steering == nil else { throw line.error(.duplicate(tag: name)) }
            steering = AttributeList(parsing: value).flatMap(Steering.init)
            if steering == nil { throw line.error(.malformed(tag: name)) }
        case "EXT-X-SESSION-DATA":
            guard let datum = AttributeList(parsing: value).flatMap(SessionDatum.init) else {
                throw line.error(.malformed(tag: name))
            }
            sessionData.append(datum)
        case "EXT-X-MEDIA":
            guard let attributes = AttributeList(parsing: value), let type = attributes.enumerated("TYPE") else {
                throw line.error(.malformed(tag: name))
            }
            switch type {
            case "AUDIO":
                guard let rendition = Rendition(attributes) else { throw line.error(.malformed(tag: name)) }
                renditions.append(rendition)
            case "SUBTITLES":
                guard let text = Subtitles(attributes) else { throw line.error(.malformed(tag: name)) }
                subtitles.append(text)
            case "CLOSED-CAPTIONS":
                guard let captions = ClosedCaptions(attributes) else { throw line.error(.malformed(tag: name)) }
                closedCaptions.append(captions)
            default: break
            }
        case "EXT-X-I-FRAME-STREAM-INF":
            guard let attributes = AttributeList(parsing: value), let uri = attributes.quoted("URI"),
                var variant = Variant(attributes)
            else { throw line.error(.malformed(tag: name)) }
            variant.uri = uri
            iFrameVariants.append(variant)
        case "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE", "EXTINF", "EXT-X-KEY",
            "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME", "EXT-X-GAP", "EXT-X-DISCONTINUITY", "EXT-X-ENDLIST":
            throw line.error(.misplaced(tag: name))
        default: break
        }
    }
}

extension MultivariantPlaylist.Variant {
    /// Reads all attributes but the URI; nil without BANDWIDTH.
    fileprivate init?(_ attributes: AttributeList) {
        guard let bandwidth = attributes.decimalInteger("BANDWIDTH") else { return nil }
        self.init(
            uri: "",
            bandwidth: bandwidth,
            averageBandwidth: attributes.decimalInteger("AVERAGE-BANDWIDTH"),
            codecs: attributes.list("CODECS"),
            supplementalCodecs: attributes.list("SUPPLEMENTAL-CODECS"),
            resolution: attributes.resolution("RESOLUTION"),
            frameRate: attributes.decimalRatio("FRAME-RATE"),
            videoRange: attributes.enumerated("VIDEO-RANGE").flatMap(VideoRange.init(rawValue:)),
            hdcpLevel: attributes.enumerated("HDCP-LEVEL").flatMap(HDCPLevel.init(rawValue:)),
            allowedCPC: attributes.quoted("ALLOWED-CPC"),
            audioGroup: attributes.quoted("AUDIO"),
            subtitlesGroup: attributes.quoted("SUBTITLES"),
            closedCaptionsGroup: attributes.quoted("CLOSED-CAPTIONS"),
            stableID: attributes.quoted("STABLE-VARIANT-ID")
        )
        pathwayID = attributes.quoted("PATHWAY-ID")
    }
}

extension MultivariantPlaylist.Rendition {
    /// Fails without GROUP-ID or NAME.
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
            stableID: attributes.quoted("STABLE-RENDITION-ID"),
            uri: attributes.quoted("URI")
        )
    }
}

extension MultivariantPlaylist.Subtitles {
    /// Fails without GROUP-ID, NAME or URI.
    fileprivate init?(_ attributes: AttributeList) {
        guard let groupID = attributes.quoted("GROUP-ID"), let name = attributes.quoted("NAME"),
            let uri = attributes.quoted("URI")
        else { return nil }
        self.init(
            groupID: groupID,
            name: name,
            language: attributes.quoted("LANGUAGE"),
            isDefault: attributes.flag("DEFAULT"),
            isAutoselect: attributes.flag("AUTOSELECT"),
            isForced: attributes.flag("FORCED"),
            characteristics: attributes.quoted("CHARACTERISTICS"),
            stableID: attributes.quoted("STABLE-RENDITION-ID"),
            uri: uri
        )
    }
}

extension MultivariantPlaylist.ClosedCaptions {
    /// Fails without GROUP-ID, NAME or INSTREAM-ID.
    fileprivate init?(_ attributes: AttributeList) {
        guard let groupID = attributes.quoted("GROUP-ID"), let name = attributes.quoted("NAME"),
            let instreamID = attributes.quoted("INSTREAM-ID")
        else { return nil }
        self.init(
            groupID: groupID,
            name: name,
            language: attributes.quoted("LANGUAGE"),
            instreamID: instreamID,
            isDefault: attributes.flag("DEFAULT"),
            isAutoselect: attributes.flag("AUTOSELECT")
        )
    }
}
