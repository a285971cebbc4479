package import AdSources

/// What players of a channel play in its breaks.
package struct OriginAds: Sendable {
    package var desk: AdDesk
    /// Advertisements that are served here; nil where they lie elsewhere.
    package var files: AdFiles?
    /// Where they are fetched from, with its last slash; nil for here, as whoever asks calls it.
    package var baseURL: String?

    package init(desk: AdDesk, files: AdFiles? = nil, baseURL: String? = nil) {
        (self.desk, self.files, self.baseURL) = (desk, files, baseURL)
    }
}
