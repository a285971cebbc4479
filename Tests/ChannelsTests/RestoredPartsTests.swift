import MediaCore
import Playlists
import Presentation
import Segmenting
import SegmentingSupport
import Testing

@testable import Channels

/// Parts of an earlier run, as the engine gets them.
@Suite struct RestoredPartsTests {
    /// The engine goes on after slots that are over: these are decided.
    @Test func theEngineGetsThePartsOfSlotsThatAreNotOver() throws {
        let presentation = try ToldPresentation.make()
        let restored = presentation.restorable
        #expect(restored.parts.all.map(\.number.value) == [1000, 1000, 1001])
        for window in [PublishedWindow(restored, presentation.configuration).open, restored.openSlots] {
            #expect(window.keys.map(\.name) == [ToldPresentation.video.name])
            #expect(window[ToldPresentation.video]?.map(\.number.value) == [1001])
            #expect(window[ToldPresentation.video]?.map(\.durations.count) == [1])
        }
    }
}
