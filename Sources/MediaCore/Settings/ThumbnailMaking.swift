/// The times when small pictures of a channel are made for operators.
package enum ThumbnailMaking: String, Hashable, Sendable, CaseIterable {
    /// Made on request.
    case onDemand = "on-demand"
    /// Never.
    case off
}
