package import MediaCore

extension MultivariantPlaylist {
    /// Where players begin: EXT-X-START (RFC 8216bis § 4.4.2.2).
    package struct Start: Hashable, Sendable {
        /// From the playlist's end where it is negative.
        package var offset: MediaTime
        /// Whether nothing before it is shown, though its segment begins there.
        package var isPrecise: Bool

        package init(offset: MediaTime, isPrecise: Bool = false) {
            (self.offset, self.isPrecise) = (offset, isPrecise)
        }
    }
}

extension MultivariantPlaylist.Start {
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
    var attributes: AttributeList {
        var list = AttributeList()
        list.append("DATA-ID", quoted: id)
        list.append("VALUE", quoted: value)
        list.append("URI", quoted: uri)
        // JSON is what a URI has where nothing is said.
        if uri != nil, format == .raw { list.append("FORMAT", enumerated: "RAW") }
        list.append("LANGUAGE", quoted: language)
        return list
    }
}
