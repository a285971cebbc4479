import MediaCore
import Testing

@testable import Ingest

/// A channel that replaces another learns what an input is like, and not what it was like.
@Suite struct InputRelayTests {
    @Test func theNextChannelHearsOfThePresentState() {
        let relay = InputRelay(Recorder())
        relay.inputOpened(tracks: [], timestampModulus: nil)
        for round in 1...100 {
            relay.inputNoticed(.programs(carried: [1, round], read: [1]))
            relay.inputNoticed(.metadata(program: 1))
            relay.inputNoticed(.metadata(program: 2))
            relay.inputNoticed(.unregisteredSplices(program: 1, pids: [round]))
        }
        let next = Recorder()
        relay.move(to: next)
        let present: [InputNotice] = [
            .metadata(program: 1), .metadata(program: 2), .programs(carried: [1, 100], read: [1]),
            .unregisteredSplices(program: 1, pids: [100]),
        ]
        #expect(next.record.notices.sorted { "\($0)" < "\($1)" } == present)
        relay.inputLost(reason: "cut")
        let last = Recorder()
        relay.move(to: last)
        #expect(last.record.notices.isEmpty)
    }
}
