import Archive
import Foundation
import Presentation
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
                "format is fmp4 here and ts there", "new is 2 here and 3 there", "old is not set here and 1 there",
            ]
        )
    }
}
