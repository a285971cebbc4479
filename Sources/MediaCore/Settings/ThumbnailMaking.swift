/// The times when small pictures of a channel are made for operators.
package enum ThumbnailMaking: String, Hashable, Sendable, CaseIterable {
    /// Made for whoever asks for one.
    case onDemand = "on-demand"
    /// Never.
    case off
}
