import MediaCore
import Playlists
import Testing

@testable import Presentation

/// Two packagers on one feed; slots are counted from the first that either has published.
@Suite struct SavedWindowMergingTests {
    /// Returns the window of a packager that was there for these slots, at least six of them.
    private func window(
        _ slots: Range<Int64>,
        bytes: Int = 1000,
        renditions: [RenditionDescription] = [.video, .audio]
    ) throws -> SavedWindow {
        var channel = Channel(first: Channel.firstNumber + slots.lowerBound, renditions: renditions)
        for _ in slots { try channel.publish(renditions.map(\.id), byteCounts: [Channel.video: bytes]) }
        return channel.presentation.saved
    }

    private func numbers(_ window: SavedWindow) -> Range<Int64> {
        let (first, end) = (window.numbers.lowerBound.value, window.numbers.upperBound.value)
        return first - Channel.firstNumber..<end - Channel.firstNumber
    }

    @Test func whatThePeerHasListedSinceIsAppended() throws {
        let own = try window(0..<6)
        let peer = try window(0..<9)
        let merged = own.continued(by: peer)
        #expect(numbers(merged) == 3..<9)
        #expect(merged == peer)
    }

    @Test func ownLinesStayAsTheyAre() throws {
        let own = try window(0..<6, bytes: 2000)
        let merged = own.continued(by: try window(0..<9, bytes: 1000))
        let ownTags = Dictionary(uniqueKeysWithValues: own.files.map { ($0.path, $0.entityTag) })
        let kept = merged.files.filter { $0.path.hasPrefix("video") && ownTags[$0.path] != nil }
        #expect(kept.count == 4)
        #expect(kept.allSatisfy { $0.entityTag == ownTags[$0.path] })
    }

    @Test func theHeadOfThePeerWins() throws {
        let own = try window(0..<6)
        #expect(numbers(own.continued(by: try window(4..<11))) == 5..<11)
        #expect(numbers(own.continued(by: try window(6..<12))) == 6..<12)
    }

    @Test func aWindowThatDoesNotTouchTakesThePlaceOfTheOwn() throws {
        let peer = try window(7..<13)
        #expect(try window(0..<6).continued(by: peer) == peer)
    }

    @Test func otherRenditionsTakeThePlaceOfTheOwn() throws {
        let own = try window(0..<6)
        let peer = try window(0..<8, renditions: [.video])
        let merged = own.continued(by: peer)
        #expect(merged.files == peer.files)
        #expect(merged.renditions == peer.renditions)
        // Once the peer has that rendition again, it continues from the bandwidth declared here.
        #expect(merged.meters[Channel.audio] == own.meters[Channel.audio])
    }

    @Test func aPeerThatIsBehindGivesItsMetersOnly() throws {
        let own = try window(0..<8, bytes: 1000)
        let peer = try window(0..<7, bytes: 2000)
        let merged = own.continued(by: peer)
        var expected = own
        expected.meters = peer.meters
        #expect(merged == expected)
        #expect(merged != own)
    }

    @Test func whatEitherHasDeclaredIsNotTakenBack() throws {
        let light = try window(0..<8, bytes: 1000)
        let heavy = try window(0..<8, bytes: 500_000)
        let peaks = [light.continued(by: heavy), heavy.continued(by: light), heavy.continued(by: try window(20..<28))]
            .map { $0.meters[Channel.video]?.bandwidth?.peak }
        #expect(Set(peaks) == [heavy.meters[Channel.video]?.bandwidth?.peak])
    }

    @Test func nothingIsContinuedByWhatThereIs() throws {
        let some = try window(0..<6)
        let none = Channel().presentation.saved
        #expect(none.continued(by: some) == some)
        #expect(some.continued(by: none) == some)
    }
}
