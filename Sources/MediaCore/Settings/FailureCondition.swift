/// A state in which a channel is better not served, so that a CDN goes elsewhere.
///
/// Raw values are what configuration, answers and the control API call them.
package enum FailureCondition: String, Hashable, Sendable, CaseIterable, Codable {
    /// Nothing has been published for too long.
    case stale
    /// In the newest slot a rendition has no media, or not for all of it.
    case incomplete
    /// In the newest slot something stands in for media of the feed.
    case slate
    /// Keys cannot be given out.
    case noKey = "no-key"
}
