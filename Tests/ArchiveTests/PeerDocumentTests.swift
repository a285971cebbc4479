import Archive
import Foundation
import MediaCore
import Presentation
import TestSupport
import Testing

@Suite struct PeerDocumentTests {
    @Test func whatOneOfTwoVersionsDoesNotNameIsAtItsDefault() {
        let there = PeerDocument(
            configuration: ["format": "ts", "window": "60.0", "old": "1"],
            window: Feed(nil).presentation.saved
        )
        let own = ["format": "fmp4", "loss": "gap", "new": "2"]
        let differences = there.differences(from: own, defaults: ["window": "60.0", "new": "3", "loss": "gap"])
        #expect(
            differences.map(\.text) == [
                "format is fmp4 on this packager, and ts on the peer", "new is 2 on this packager, and 3 on the peer",
                "old is not set on this packager, and 1 on the peer",
            ]
        )
    }

    /// A clear lead follows from that, and an earlier version has none.
    @Test func anEarlierVersionSaysWhereItsChannelBegan() throws {
        let file = Repository.root.appending(path: "Tests/Fuzz/Corpus/peer/window")
        let there = try PeerDocument(json: Data(contentsOf: file))
        #expect(there.window.firstNumber?.value == 1_795_332_877)
        #expect(there.window.numbers.lowerBound.value == 1_795_332_881)
        let own = there.configuration.merging(["clear-lead": "0.0"]) { $1 }
        #expect(there.differences(from: own, defaults: ["clear-lead": "0.0"]).isEmpty)
    }
}
