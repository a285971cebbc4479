import MediaCore
import Synchronization
import Testing

@testable import Hosting

/// The capture of feeds until another reader can continue with them.
@Suite(.timeLimit(.minutes(5))) struct FeedCaptureTests {
    /// A channel that publishes a slot whenever it is asked for the newest.
    private final class Publishing: Sendable {
        private let number: Mutex<Int64>
        private let step: Int64

        init(_ first: Int64, step: Int64 = 1) {
            number = Mutex(first)
            self.step = step
        }

        /// The newest slot that anybody was told.
        var told: Int64 { number.withLock { $0 - step } }

        func next() -> MediaSequenceNumber {
            number.withLock { number in
                defer { number += step }
                return MediaSequenceNumber(number)
            }
        }
    }

    private static func source(
        _ channel: Publishing,
        begun: Int64?,
        slot: Duration = .seconds(600)
    ) -> FeedCapture.Source {
        .init(begun: begun.map { MediaSequenceNumber($0) }, slotDuration: slot, published: channel.next)
    }

    /// The slot after those that had begun may lack what came early of it, and is published before another reader begins.
    @Test(
        arguments: [
            // A feed that is published as it comes.
            (begun: Int64(101), target: Int64(102)),
            // One that is behind: its slots take longer than they last.
            (102, 103), (107, 108),
            // A wrong timestamp lies far ahead.
            (109, 108), (.max, 108),
            // Nothing is known of it, or all of it is published.
            (nil, 102), (100, 102),
        ] as [(begun: Int64?, target: Int64)]
    )
    func enoughIsOneSlotMoreThanHadBegun(begun: Int64?, target: Int64) async {
        let channel = Publishing(100)
        await FeedCapture([Self.source(channel, begun: begun)]).untilEnough()
        #expect(channel.told == target)
    }

    @Test func everyChannelIsWaitedFor() async {
        let (one, other) = (Publishing(100), Publishing(300))
        await FeedCapture([Self.source(one, begun: 101), Self.source(other, begun: 304)]).untilEnough()
        #expect(one.told == 102 && other.told == 305)
    }

    /// A channel that publishes no more is given up.
    @Test func channelThatStandsStillIsNotWaitedForWithoutEnd() async {
        let channel = Publishing(100, step: 0)
        await FeedCapture([Self.source(channel, begun: 104, slot: .milliseconds(1))]).untilEnough()
    }
}
