package import AdSources

/// The advertisements that players of a channel play in its breaks.
package struct OriginAds: Sendable {
    package var decisions: AdDecisions
    /// Advertisements that are served here; nil if they lie elsewhere.
    package var files: AdFiles?
    /// The URL that they are fetched from, with its last slash; nil for this origin, at the address that the client
    /// used.
    package var baseURL: String?

    package init(decisions: AdDecisions, files: AdFiles? = nil, baseURL: String? = nil) {
        (self.decisions, self.files, self.baseURL) = (decisions, files, baseURL)
    }
}
