/// Captions in a video, as an operator declares them.
package struct CaptionDescription: Hashable, Sendable {
    /// `CC1` to `CC4`, or `SERVICE1` to `SERVICE63`.
    package var channel = ""
    /// Language tag (BCP 47).
    package var language: String?
    /// The name in a player's menu.
    package var name: String?
    package var isDefault = false
}
