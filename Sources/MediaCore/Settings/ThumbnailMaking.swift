/// When small pictures of a channel are made for operators.
package enum ThumbnailMaking: String, Hashable, Sendable, CaseIterable {
    /// When somebody asks for one.
    case onDemand = "on-demand"
    /// Never.
    case off
}
