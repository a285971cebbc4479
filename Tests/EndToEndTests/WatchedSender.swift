import TestSupport
import Testing

/// FFmpeg as an encoder that sends over UDP, and how punctual it was.
///
/// A machine that is busy lets it send nothing for seconds and then all at once. The slots of that time are gaps, as
/// they ought to be, and no fault of what is tested.
final class WatchedSender: Sendable {
    let program: Program
    private let sender: FeedSender
    private let relay: DatagramRelay

    /// The longest silence, in seconds, that no slot is lost by.
    private static let harmless = 0.4

    init(port: Int, options: [String] = [], feed: String = Repository.feed) throws {
        relay = DatagramRelay(to: [port])
        sender = try .udp(port: relay.port, options: options, feed: feed)
        program = sender.program
    }

    /// The longest time for which it has sent nothing.
    var longestPause: DatagramRelay.Pause? { relay.longestPause }

    /// Expects that nothing of the feed is missing in what was published, if nothing was missing in the feed.
    func expectNothingMissing(
        _ isWhole: Bool,
        _ words: @autoclosure () -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let pause = longestPause?.seconds ?? 0
        guard pause > Self.harmless else {
            #expect(isWhole, "\(words())", sourceLocation: sourceLocation)
            return
        }
        print("The encoder has sent nothing for \(pause) s, so that gaps say nothing.")
    }
}
