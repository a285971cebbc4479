package import MediaCore

/// A key that is not in use yet: EXT-X-PRELOAD-HINT with TYPE=KEY (the draft of June 2026 after RFC 8216bis-22).
///
/// Clients fetch it at a random moment before its date; those that do not know the TYPE ignore it (§ 6.3.8).
package struct KeyHint: Hashable, Sendable {
    package var key: EncryptionKey
    /// The start of the first segment that needs it, in UTC counted from 1970.
    package var firstUse: MediaTime

    package init(key: EncryptionKey, firstUse: MediaTime) {
        self.key = key
        self.firstUse = firstUse
    }

    var attributes: AttributeList {
        var list = AttributeList()
        list.append("TYPE", enumerated: "KEY")
        list.append("URI", quoted: key.uri, isReference: true)
        list.append("METHOD", enumerated: key.method.rawValue)
        list.append("KEYFORMAT", quoted: key.keyFormat)
        list.append("KEYFORMATVERSIONS", quoted: key.keyFormatVersions)
        list.append("DATE-OF-FIRST-USE", quoted: firstUse.iso8601)
        return list
    }

    /// Reads a hint; fails if it is not for a key or lacks a mandatory attribute.
    init?(_ attributes: AttributeList) {
        guard attributes.enumerated("TYPE") == "KEY", let key = EncryptionKey(attributes),
            let firstUse = attributes.quoted("DATE-OF-FIRST-USE").flatMap({ MediaTime(iso8601: $0) })
        else { return nil }
        self.init(key: key, firstUse: firstUse)
    }
}
