/// Something that a multivariant playlist says of the whole channel: EXT-X-SESSION-DATA (RFC 8216bis § 4.4.6.4).
package struct SessionDatum: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case json, raw
    }

    /// DATA-ID, in the way of a reversed domain name.
    package var id = ""
    /// Nil where it lies elsewhere.
    package var value: String?
    /// Where it lies, relative to the playlist.
    package var uri: String?
    /// Of what lies elsewhere.
    package var format = Format.json
    /// The language of the value.
    package var language: String?

    /// What renditions are called in other languages (Appendix E).
    package static let localizedNamesID = "_hls.localized-rendition-names"
    /// Where they lie beside the multivariant playlist.
    package static let localizedNamesFile = "names.json"

    package init() {}
}
