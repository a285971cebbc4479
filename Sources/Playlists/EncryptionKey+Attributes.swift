extension EncryptionKey {
    /// The attributes of EXT-X-KEY and EXT-X-SESSION-KEY.
    var attributes: AttributeList {
        var list = AttributeList()
        list.append("METHOD", enumerated: method.rawValue)
        list.append("URI", quoted: uri, isReference: true)
        list.append("IV", hexadecimal: initializationVector)
        list.append("KEYFORMAT", quoted: keyFormat)
        list.append("KEYFORMATVERSIONS", quoted: keyFormatVersions)
        return list
    }

    /// Finds EXT-X-KEY among the lines of another program's playlist; fails if there is no readable one.
    package init?(lines: String) {
        let tag = "#EXT-X-KEY:"
        guard let line = lines.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(tag) }),
            let attributes = AttributeList(parsing: line.dropFirst(tag.count))
        else { return nil }
        self.init(attributes)
    }

    /// Fails if the method is unknown, the URI or a readable IV is missing, or there is an IV beside those of segments.
    init?(_ attributes: AttributeList) {
        guard let method = attributes.enumerated("METHOD").flatMap(Method.init(rawValue:)),
            let uri = attributes.quoted("URI")
        else { return nil }
        let initializationVector = attributes.hexadecimal("IV")
        if initializationVector == nil, attributes.enumerated("IV") != nil { return nil }
        // RFC 8216bis § 4.4.4.4
        if initializationVector != nil, method == .aes256GCM { return nil }
        self.init(
            method: method,
            uri: uri,
            initializationVector: initializationVector,
            keyFormat: attributes.quoted("KEYFORMAT"),
            keyFormatVersions: attributes.quoted("KEYFORMATVERSIONS")
        )
    }
}
