import MediaCore

/// Entity tags in fields of requests, which are written with their quotes (RFC 9110 § 8.8.3).
package enum EntityTag {
    /// A tag of a list.
    package struct Listed: Hashable, Sendable {
        /// The tag, with its quotes.
        package var tag: Substring
        package var isWeak: Bool
    }

    /// Returns the tags of `If-Match` or `If-None-Match` up to the first that is malformed, and true if none is.
    package static func tags(in field: String) -> (tags: [Listed], areAll: Bool) {
        var tags: [Listed] = []
        var rest = field.trimmingSpaces
        while !rest.isEmpty {
            // RFC 9110 § 5.6.1.2: elements may be empty.
            if rest.first == "," {
                rest = rest.dropFirst().trimmingSpaces
                continue
            }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            // A comma may be part of a tag, so the list is read tag by tag.
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return (tags, false) }
            tags.append(Listed(tag: rest[...end], isWeak: isWeak))
            rest = rest[rest.index(after: end)...].trimmingSpaces
            guard rest.isEmpty || rest.first == "," else { return (tags, false) }
        }
        return (tags, true)
    }

    /// Returns true if the field names every tag.
    package static func isAny(_ field: String) -> Bool { field.trimmingSpaces == "*" }

    /// Returns true if `If-None-Match` names the tag, so that 304 is the answer.
    ///
    /// `field` is `*` or a list of tags, weak ones among them, and compared weakly (RFC 9110 § 13.1.2); `tag` is the
    /// strong tag of the representation that would be sent.
    package static func isListed(in field: String, _ tag: String) -> Bool {
        isAny(field) || tags(in: field).tags.contains { $0.tag == tag }
    }

    /// Returns true if `If-Match` names the tag, without which nothing may be sent: `*`, or a list of tags that are
    /// compared strongly (RFC 9110 § 13.1.1).
    package static func isMatched(in field: String, _ tag: String) -> Bool {
        isAny(field) || tags(in: field).tags.contains { !$0.isWeak && $0.tag == tag }
    }

    /// Returns true if `If-Range` allows a part to be sent: only this very tag does (RFC 9110 § 13.1.5: compared
    /// strongly).
    ///
    /// A date never allows it, because no resource here has a `Last-Modified` to compare it with.
    package static func allowsRange(ifRange field: String, _ tag: String) -> Bool {
        field.trimmingSpaces == tag
    }
}
