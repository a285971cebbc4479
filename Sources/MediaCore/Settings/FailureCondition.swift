/// A state in which a channel is better not served, so that a CDN goes elsewhere.
///
/// Raw values are the names in configuration, answers and the control API.
package enum FailureCondition: String, Hashable, Sendable, CaseIterable, Codable {
    /// No slot has been published for too long.
    case stale
    /// A rendition lacks media in the newest slot, or in part of it.
    case incomplete
    /// The newest slot has a slate or a held picture in place of the feed.
    case slate
    /// Keys cannot be given out.
    case noKey = "no-key"
}
