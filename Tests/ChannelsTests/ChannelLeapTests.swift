import Foundation
import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// A machine that has slept, or was so busy that it might as well have.
@Suite struct ChannelLeapTests {
    /// A player sees the same whether each slot was published in its time or the machine slept through them.
    @Test func whoSleepsThroughAnHourListsTheSame() {
        let (awake, asleep) = (ChannelFixture(source: .pts), ChannelFixture(source: .pts))
        for fixture in [awake, asleep] {
            let input = fixture.channel.makeInput(.input(0), pace: .live)
            let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
            feed.open(input)
            feed.sendLive(0..<20_000, at: 0, to: input, of: fixture)
            input.inputLost(reason: "the machine sleeps")
            if fixture === awake { fixture.wait(until: 3_600_000) }
            fixture.clock.set(Epoch.at(3_600_000))
            fixture.channel.timeAdvanced()
            let gaps = fixture.window("video-180p")
            #expect(gaps.count >= 6 && gaps.allSatisfy { $0.hasSuffix("gap") }, "\(gaps)")
            feed.open(input)
            feed.sendLive(3_600_000..<3_620_000, at: 3_600_000, to: input, of: fixture)
        }
        for path in ["index.m3u8", "video-180p.m3u8", "audio.m3u8"] {
            #expect(awake.text(path) == asleep.text(path))
            #expect(awake.text(path)?.contains("m4s") == (path != "index.m3u8"))
        }
    }

    /// An input whose timestamps are no UTC and do not wrap, as those of fMP4, Matroska and RTSP that begin at zero.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (.input(0), .live), (.input(1), .live), (.backup(0, inputCount: 2), .live), (.input(1), .paced),
        ] as [(InputID, InputPace)]
    )
    func anInputThatLiesIn1970HoldsNobodyUp(past: InputID, pace: InputPace) {
        let fixture = ChannelFixture(source: .pts, inputCount: 2, backupCount: 1)
        let others = [InputID.input(0), .input(1)].filter { $0 != past }
        let inputs = others.map { fixture.channel.makeInput($0, pace: .live) }
        let input = fixture.channel.makeInput(past, pace: pace)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        for input in inputs { feed.open(input) }
        var start = ChannelFeed(base: 0)
        start.audio = nil
        input.inputOpened(tracks: start.tracks, timestampModulus: nil)
        for second in 0..<90 as Range<Int64> {
            let range = second * 1_000..<(second + 1) * 1_000
            start.send(range, to: input)
            feed.sendLive(range, at: range.lowerBound, to: inputs, of: fixture)
        }
        // Whose PTS may mean 1970 could have something for each slot until that is given up waiting for.
        let newest = pace == .live ? 21 : 20
        for id in fixture.presentation.snapshot().renditions.map(\.id) {
            #expect(fixture.window(id) == (newest - 6...newest).map { "\($0)" }, "\(id)")
        }
        #expect(fixture.presentation.snapshot().renditions.count == (past == .backup(0, inputCount: 2) ? 3 : 2))
    }
}
