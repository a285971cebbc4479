/// Comparisons of entity tags, which are written with their quotes (RFC 9110 § 8.8.3).
package enum EntityTag {
    /// Returns true if `If-None-Match` names the tag, so that 304 is the answer.
    ///
    /// `field` is `*` or a list of tags, weak ones among them, and compared weakly (RFC 9110 § 13.1.2); `tag` is the
    /// strong tag of the representation that would be sent.
    package static func isListed(in field: String, _ tag: String) -> Bool {
        var rest = field[...].trimmingSpaces
        if rest == "*" { return true }
        while !rest.isEmpty {
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            // A comma may be part of a tag, so the list is read tag by tag.
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
            if rest[...end] == tag { return true }
            rest = rest[rest.index(after: end)...].trimmingSpaces
            guard rest.isEmpty || rest.first == "," else { return false }
            rest = rest.dropFirst().trimmingSpaces
        }
        return false
    }

    /// Returns true if `If-Range` allows a part to be sent: only this very tag does (RFC 9110 § 13.1.5: compared
    /// strongly).
    ///
    /// A date never allows it, because no resource here has a `Last-Modified` to compare it with.
    package static func allowsRange(ifRange field: String, _ tag: String) -> Bool {
        field.trimmingSpaces == tag
    }
}
