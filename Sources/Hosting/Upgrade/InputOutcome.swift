import MediaCore
import Segmenting

/// The outcome of an upgrade for one input of a channel.
struct InputOutcome {
    var channel: String
    var input: InputID
    var feed: FeedLocation
    var outcome: FeedOutcome
}
