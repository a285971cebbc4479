package import MediaCore

extension MultivariantPlaylist {
    /// The place where players begin: EXT-X-START (RFC 8216bis § 4.4.2.2).
    package struct Start: Hashable, Sendable {
        /// The time from the playlist's beginning, or, if negative, from its end.
        package var offset: MediaTime
        /// True if nothing before that time is shown, although its segment begins earlier.
        var isPrecise: Bool

        package init(offset: MediaTime, isPrecise: Bool = false) {
            (self.offset, self.isPrecise) = (offset, isPrecise)
        }
    }
}

extension MultivariantPlaylist.Start {
    /// Fails without TIME-OFFSET.
    init?(_ attributes: AttributeList) {
        guard let text = attributes.enumerated("TIME-OFFSET") else { return nil }
        let isNegative = text.hasPrefix("-")
        guard let distance = MediaTime(decimalSeconds: String(text.dropFirst(isNegative ? 1 : 0))) else { return nil }
        self.init(
            offset: isNegative ? -distance : distance,
            isPrecise: attributes.enumerated("PRECISE") == "YES"
        )
    }

    var attributes: AttributeList {
        var list = AttributeList()
        var text = ""
        text.append(offset.milliseconds, decimals: 3)
        list.append("TIME-OFFSET", enumerated: text)
        if isPrecise { list.append("PRECISE", enumerated: "YES") }
        return list
    }
}

extension SessionDatum {
    /// Fails without DATA-ID.
    init?(_ attributes: AttributeList) {
        guard let id = attributes.quoted("DATA-ID") else { return nil }
        self.init()
        self.id = id
        (value, uri, language) = (attributes.quoted("VALUE"), attributes.quoted("URI"), attributes.quoted("LANGUAGE"))
        if attributes.enumerated("FORMAT") == "RAW" { format = .raw }
    }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("DATA-ID", quoted: id)
        list.append("VALUE", quoted: value)
        list.append("URI", quoted: uri)
        // A URI has JSON by default.
        if uri != nil, format == .raw { list.append("FORMAT", enumerated: "RAW") }
        list.append("LANGUAGE", quoted: language)
        return list
    }
}
