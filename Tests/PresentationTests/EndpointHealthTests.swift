import MediaCore
import Playlists
import Presentation
import Testing

/// The decision if playlists are served follows from the publications.
@Suite struct EndpointHealthTests {
    private let endpoint = EndpointHealth()

    @Test func itHearsOfSlotsAndNotOfGapsThatOnlyKeepNumbersTogether() throws {
        var channel = Channel(consumers: [endpoint])
        try channel.publish(gaps: [Channel.video])
        // No playlist lists it, and viewers have waited for it.
        #expect(endpoint.state.newestSlot?.value == Channel.firstNumber && endpoint.state.isIncomplete)
        try channel.publish()
        #expect(endpoint.state.newestSlot?.value == Channel.firstNumber + 1 && !endpoint.state.isIncomplete)
        #expect(endpoint.state.lastPublication == channel.now)
        _ = try channel.presentation.bridge(to: MediaSequenceNumber(channel.nextNumber + 2), now: channel.now)
        #expect(endpoint.state.newestSlot?.value == Channel.firstNumber + 1)
        channel.presentation.end(now: channel.now)
        #expect(endpoint.state.isEnded)
    }

    @Test func aSlotSaysWhatNoInputHasAnyMoreAndIfKeysAreMissing() throws {
        let presentation = Channel(consumers: [endpoint], renditions: [.video]).presentation
        var slot = PublishedSlot.media(10)
        slot.lacksKeys = true
        try presentation.publish(slot, now: MediaTime(seconds: 44))
        #expect(!endpoint.state.hasKeys)
        slot = .gap(11)
        slot.withdrawn = [Channel.video]
        try presentation.publish(slot, now: MediaTime(seconds: 48))
        #expect(endpoint.state.hasKeys && !endpoint.state.isIncomplete)
    }

    @Test func aWindowThatIsRestoredWasPublishedWhenItEnded() throws {
        let recorder = Recorder()
        var earlier = Channel(consumers: [recorder])
        try earlier.publish(count: 3)
        let channel = Channel(consumers: [endpoint])
        #expect(endpoint.state.lastPublication == nil)
        channel.presentation.restore(try #require(recorder.restored), now: earlier.now)
        #expect(endpoint.state.lastPublication == earlier.now && endpoint.state.newestSlot == nil)
    }
}
