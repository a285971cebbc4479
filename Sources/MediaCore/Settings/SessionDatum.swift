/// A datum of a multivariant playlist about the whole channel: EXT-X-SESSION-DATA (RFC 8216bis § 4.4.6.4).
package struct SessionDatum: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case json, raw
    }

    /// DATA-ID, in the way of a reversed domain name.
    package var id = ""
    /// VALUE; nil if the value is at `uri`.
    package var value: String?
    /// The URI of a value that lies elsewhere, relative to the playlist.
    package var uri: String?
    /// The format of a value that lies elsewhere.
    package var format = Format.json
    /// The language of the value.
    package var language: String?

    /// The ID of the names of renditions in other languages (Appendix E).
    package static let localizedNamesID = "_hls.localized-rendition-names"
    /// The file of those, beside the multivariant playlist.
    package static let localizedNamesFile = "names.json"

    package init() {}
}
