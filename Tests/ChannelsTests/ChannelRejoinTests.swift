import ISOBMFF
import Inspection
import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// A rung that was away while the clock that it shares with others was slewed.
@Suite struct ChannelRejoinTests {
    private static let back: Int64 = 240_000

    /// Two rungs of one encoder, whose clock is off by so much; the second one is away from 40 s on.
    private func run(_ partsPerMillion: Int64, window: Int64) -> ChannelFixture {
        let fixture = ChannelFixture(inputCount: 2, window: window)
        let inputs = [0, 1].map { fixture.channel.makeInput(.input($0), pace: .live) }
        let feed = ChannelFeed()
        var dubbed = feed.tracks
        dubbed[1].language = "de"
        func open(_ input: Int) {
            inputs[input].inputOpened(
                tracks: input == 0 ? feed.tracks : dubbed,
                timestampModulus: ChannelFeed.modulus
            )
        }
        func send(_ range: Range<Int64>, to inputs: [ChannelInput]) {
            feed.send(range, to: inputs) { time in
                fixture.clock.set(Epoch.time + MediaTime(ticks: time * 90 - time * 90 * partsPerMillion / 1_000_000))
                if time % 200 == 0 { fixture.channel.timeAdvanced() }
            }
        }
        open(0)
        open(1)
        send(0..<40_000, to: inputs)
        inputs[1].inputLost(reason: "connection reset")
        send(40_000..<Self.back, to: [inputs[0]])
        open(1)
        send(Self.back..<Self.back + 40_000, to: inputs)
        return fixture
    }

    /// The window is shorter or longer than the outage, and the encoder's clock fast or slow.
    @Test(arguments: [24, 600] as [Int64], [1_500, -1_500] as [Int64])
    func aRungThatIsBackLiesWhereTheOthersDo(window: Int64, partsPerMillion: Int64) throws {
        let fixture = run(partsPerMillion, window: window)
        let renditions = fixture.presentation.snapshot().renditions
        for (name, other) in [("video-180p-2", "video-180p"), ("audio-de", "audio")] {
            let listed = renditions.first { $0.id.name == name }?.segments ?? []
            // The first one begins where the gap was said to end.
            let back = listed.filter { $0.sequence.value - Epoch.slot.value > 20 && !$0.isGap }.dropFirst()
            #expect(back.count >= 5, "\(name)")
            for segment in back {
                let alike = renditions.first { $0.id.name == other }?.segments.first { $0.sequence == segment.sequence }
                let start = try #require(alike?.start)
                #expect(abs((segment.start - start).milliseconds) <= 40, "\(name) \(segment.sequence)")
                let times = try [name, other].map { name in
                    let body = try #require(fixture.bytes("\(name)/\(segment.sequence).m4s"))
                    return Int64(try #require(ParsedFragment.fragments(in: body).first).baseMediaDecodeTime)
                }
                // A frame of either is less than 40 ms.
                let timescale: Int64 = name.hasPrefix("video") ? 90_000 : 48_000
                #expect(abs(times[0] - times[1]) <= timescale / 25, "\(name) \(segment.sequence): \(times)")
                #expect(abs(segment.duration.microseconds - 4_000_000) <= 50_000, "\(name) \(segment.sequence)")
            }
        }
    }
}
