import MediaCore
import Segmenting

/// What becomes of an input of a channel when another process takes the place of this one.
struct InputFate {
    var channel: String
    var input: InputID
    var feed: FeedLocation
    var fate: FeedFate
}
