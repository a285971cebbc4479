import ContentProtection
import Foundation
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Testing
import TimedText
import Timeline

@testable import Channels
@testable import Inspection
@testable import Packaging
@testable import Segmenting

/// Subtitles beside the feeds, from cue to segment; times are milliseconds from the epoch on, slots take four seconds.
@Suite struct ChannelSubtitlesTests {
    private static let english = SubtitleAttributes(language: "en", name: "English", isDefault: true)
    private static let german = SubtitleAttributes(
        language: "de",
        characteristics: ["public.accessibility.transcribes-spoken-dialog"],
        isAutoselect: false
    )

    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    private static func cue(_ text: String, _ start: Int64, _ end: Int64, settings: String = "") throws -> TimedCue {
        let content = try #require(CueContent(text: text, settings: settings))
        return TimedCue(start: Epoch.at(start), end: Epoch.at(end), content: content)
    }

    /// Posts cues, and returns the outcomes: a slot's number, or the reason why there is none.
    private func post(_ cues: [TimedCue], to fixture: ChannelFixture) -> [String] {
        let cues = cues.map { ScheduledCue(start: $0.start, end: $0.end, payload: $0.content.bytes) }
        let outcomes = fixture.channel.accept([.cues(language: "en", cues)], at: fixture.clock.now).flatMap(\.self)
        return outcomes.map { outcome in
            switch outcome {
            case .slot(let slot, _): "\(slot.value - Epoch.slot.value)"
            case .refused(let reason): "\(reason)"
            case .withdrawn: "withdrawn"
            }
        }
    }

    private func vtt(_ number: Int64, of fixture: ChannelFixture, _ name: String = "text-en") throws -> String {
        try #require(fixture.text("\(name)/\(Epoch.slot.value + number).vtt"))
    }

    private func started(_ fixture: ChannelFixture) -> ChannelInput {
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        return input
    }

    @Test func cuesAreInEachSegmentThatTheyOverlap() throws {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english, Self.german])
        // Before the channel has its tracks.
        let early = try Self.cue("early", 1_000, 2_000)
        #expect(post([early], to: fixture) == ["0"])
        let input = started(fixture)
        feed.sendLive(0..<5_000, at: 0, to: input, of: fixture)
        let cues = [
            try Self.cue("spanning", 7_000, 9_000, settings: "line:0"), try Self.cue("inside", 6_000, 6_500),
            try Self.cue("over", 3_000, 3_500), try Self.cue("for hours", 4_000_000, 4_000_001),
        ]
        let refusals = ["it ends before \(Epoch.at(4_000).iso8601)", "it begins more than an hour from now"]
        let answers = post(cues, to: fixture)
        #expect(answers.prefix(2) == ["1", "1"])
        #expect(zip(answers.suffix(2), refusals).allSatisfy { $0.hasPrefix($1) }, "\(answers)")
        fixture.channel.show(cues, in: 0)
        feed.sendLive(5_000..<13_000, at: 5_000, to: input, of: fixture)
        #expect(fixture.window("text-en") == ["0", "1", "2"] && fixture.window("text-de") == ["0", "1", "2"])
        // 11:06:40 is six minutes and forty seconds into its hour; times count from the hour before.
        let origin = MediaTime(seconds: 1_795_000_000 - 6 * 60 - 40 - 3600)
        let header = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(origin.ticks)\n\n"
        #expect(try vtt(0, of: fixture) == header + "01:06:41.000 --> 01:06:42.000\nearly\n")
        let spanning = "01:06:47.000 --> 01:06:49.000 line:0\nspanning\n"
        #expect(try vtt(1, of: fixture) == header + "01:06:46.000 --> 01:06:46.500\ninside\n\n" + spanning)
        #expect(try vtt(2, of: fixture) == header + spanning)
        #expect(try vtt(1, of: fixture, "text-de") == header)
        #expect(
            fixture.text("text-en.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448750000
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:40.000Z
                #EXTINF:4.000000,
                text-en/448750000.vtt
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:44.000Z
                #EXTINF:4.000000,
                text-en/448750001.vtt
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:48.000Z
                #EXTINF:4.000000,
                text-en/448750002.vtt

                """
        )
        #expect(
            fixture.text("index.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:1
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",LANGUAGE="und",DEFAULT=YES,AUTOSELECT=YES,\
                CHANNELS="2",STABLE-RENDITION-ID="audio",URI="audio.m3u8"
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
                FORCED=NO,STABLE-RENDITION-ID="text-en",URI="text-en.m3u8"
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="German",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=NO,\
                FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",STABLE-RENDITION-ID="text-de",\
                URI="text-de.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=700000,CODECS="avc1.42c00c,mp4a.40.2",\
                RESOLUTION=320x180,STABLE-VARIANT-ID="video-180p.audio",FRAME-RATE=25.000,AUDIO="audio",\
                SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE
                video-180p.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1900,AVERAGE-BANDWIDTH=1900,CODECS="avc1.42c00c",\
                RESOLUTION=320x180,STABLE-VARIANT-ID="video-180p-iframes",URI="video-180p-iframes.m3u8"

                """
        )
    }

    /// The number of inputs makes no difference, nor does whether there are cues.
    @Test(arguments: [1, 2]) func theirSourceIsNoInput(inputCount: Int) throws {
        let fixture = ChannelFixture(source: .pts, inputCount: inputCount, subtitles: [Self.english])
        let inputs = fixture.channel.configuration.inputs.map { fixture.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        fixture.channel.show([try Self.cue("shown", 5_000, 6_000)], in: 0)
        feed.sendLive(0..<13_000, at: 0, to: inputs, of: fixture)
        let renditions = fixture.channel.status(at: fixture.clock.now).renditions
        #expect(renditions.filter { $0.id == "text-en" }.map(\.source) == ["subtitles"])
        #expect(renditions.filter { $0.id == "video-180p" }.map(\.source) == ["input-1"])
        let history = fixture.channel.monitor.history.renditions.first { $0.id == "text-en" }
        #expect(try #require(history).runs.map(\.source) == ["subtitles"])
    }

    /// Both members show what is posted to both, whenever it came.
    @Test func whatComesInAnotherOrderIsTheSame() throws {
        let fixtures = (0..<2).map { _ in
            ChannelFixture(source: .pts, subtitles: [Self.english], subtitleFormats: [.webVTT, .imsc1])
        }
        let cues = [
            try Self.cue("b", 5_000, 9_000), try Self.cue("a", 5_000, 9_000), try Self.cue("c", 4_500, 6_000),
        ]
        for (fixture, cues) in zip(fixtures, [cues, cues.reversed()]) {
            let input = started(fixture)
            feed.sendLive(0..<2_000, at: 0, to: input, of: fixture)
            for cue in cues { fixture.channel.show([cue], in: 0) }
            feed.sendLive(2_000..<13_000, at: 2_000, to: input, of: fixture)
        }
        for path in ["index.m3u8", "index-imsc1.m3u8", "text-en.m3u8", "text-en-2.m3u8"]
            + fixtures[0].presentation.saved.files.map(\.path)
        {
            #expect(try #require(fixtures[0].bytes(path)) == #require(fixtures[1].bytes(path)), "\(path)")
        }
        let everyPlayer = try MultivariantPlaylist(parsing: try #require(fixtures[0].text("index.m3u8")))
        #expect(everyPlayer.variants.map(\.subtitlesGroup) == ["subtitles"])
        #expect(everyPlayer.subtitles.map(\.uri) == ["text-en.m3u8"])
        let index = try MultivariantPlaylist(parsing: try #require(fixtures[0].text("index-imsc1.m3u8")))
        #expect(index.variants.map(\.subtitlesGroup) == ["subtitles", "subtitles-imsc1"])
        #expect(index.variants.map { $0.codecs.last } == ["mp4a.40.2", "stpp.ttml.im1t"])
        #expect(index.subtitles.map(\.name) == ["English", "English"])
    }

    /// One document for each segment, on the media timeline of the pictures.
    @Test func imsc1LiesWhereThePicturesDo() throws {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english], subtitleFormats: [.webVTT, .imsc1])
        let input = started(fixture)
        fixture.channel.show([try Self.cue("<i>Hello</i> &amp; more", 5_000, 9_000)], in: 0)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        let playlist = try MediaPlaylist(parsing: try #require(fixture.text("text-en-2.m3u8")))
        let map = try #require(playlist.segments[0].map)
        let section = try ParsedInitialization(try #require(fixture.bytes(map.uri)))
        for number in 1...2 as ClosedRange<Int64> {
            let bytes = try #require(fixture.bytes("text-en-2/\(Epoch.slot.value + number).m4s"))
            let video = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + number).m4s"))
            let fragment = try #require(ParsedFragment.fragments(in: bytes, initialization: section).first)
            let pictures = try #require(ParsedFragment.fragments(in: video).first)
            #expect(fragment.baseMediaDecodeTime == pictures.baseMediaDecodeTime)
            let sample = try #require(fragment.samples.first)
            #expect(fragment.samples.count == 1 && sample.duration == 360_000)
            let text = try #require(bytes.getBytes(at: sample.range.lowerBound, length: sample.size))
            let document = try TimedTextDocument(parsing: text)
            #expect(document.cues == [try Self.cue("<i>Hello</i> &amp; more", 5_000, 9_000)])
        }
    }

    /// Neither format, which have milliseconds, has a cue of one millisecond at the edge of a slot.
    @Test func noCueIsASliverOfItsSlot() throws {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english], subtitleFormats: [.webVTT, .imsc1])
        let input = started(fixture)
        let cues = [
            try Self.cue("ends", 1_000, 4_001), try Self.cue("begins", 7_999, 10_000),
            try Self.cue("spans", 7_998, 8_002),
        ]
        fixture.channel.show(cues, in: 0)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        let texts = try (0..<3 as Range<Int64>).map { number in
            let bytes = try #require(fixture.bytes("text-en-2/\(Epoch.slot.value + number).m4s"))
            return [try vtt(number, of: fixture), String(buffer: bytes)]
        }
        for (slot, words) in zip(texts, [["ends"], ["spans"], ["begins", "spans"]]) {
            for text in slot {
                #expect(["ends", "begins", "spans"].filter { text.contains($0) } == words, "\(text)")
            }
        }
    }

    /// The map tells the zero of an input's own clock; lost media takes no words with it.
    @Test func textGoesOnWhereMediaIsLostAndLiesWhereItDoes() throws {
        let fixture = ChannelFixture(subtitles: [Self.english])
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed(base: 77_000_000)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        input.inputLost(reason: "end of file")
        let said = try Self.cue("still there", 13_000, 14_000)
        #expect(post([said], to: fixture) == ["3"])
        fixture.wait(until: 22_000)
        #expect(fixture.window("video-180p").suffix(2) == ["2", "3 gap"])
        #expect(fixture.window("text-en").suffix(2) == ["2", "3"])
        #expect(try vtt(3, of: fixture).hasSuffix("\n\n01:06:53.000 --> 01:06:54.000\nstill there\n"))
        let bytes = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + 1).m4s"))
        let fragment = try #require(ParsedFragment.fragments(in: bytes).first)
        let video = try MediaPlaylist(parsing: try #require(fixture.text("video-180p.m3u8")))
        let start = video.segments[1].programDateTime
        let text = try vtt(1, of: fixture)
        let match = try #require(text.firstMatch(of: /MPEGTS:(\d+)/))
        let origin = MediaTime(seconds: 1_795_000_000 - 6 * 60 - 40 - 3600)
        let expected = Int64(fragment.baseMediaDecodeTime) - (start - origin).ticks
        #expect(try abs(#require(Int64(match.output.1)) - expected) <= 90)
    }

    /// Subtitles stay, whatever an input says of its own tracks.
    @Test func noInputWithdrawsThem() throws {
        let fixture = ChannelFixture(source: .pts, subtitles: [Self.english])
        let input = started(fixture)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        let place = { fixture.channel.engine.renditions.firstIndex { $0.plan.subtitles == 0 } }
        #expect(try fixture.channel.engine.segmenter.tracks[#require(place()).value].isWithdrawn == false)
        // Its pictures are gone: audio leads, and text is cut where that is.
        let audio = ChannelFeed(video: nil, base: feed.base)
        audio.open(input)
        fixture.channel.show([try Self.cue("still there", 17_000, 18_000)], in: 0)
        audio.sendLive(9_000..<21_000, at: 9_000, to: input, of: fixture)
        #expect(fixture.window("text-en").suffix(3) == ["2", "3", "4"])
        #expect(try vtt(4, of: fixture).contains("still there"))
        #expect(try fixture.channel.engine.segmenter.tracks[#require(place()).value].isWithdrawn == false)
    }

    @Test(arguments: [false, true])
    func textIsInTheClear(isOfSamples: Bool) throws {
        let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: MediaSequenceNumber(Epoch.slot.value + 100))
        let fixture = ChannelFixture(
            source: .pts,
            encryption: isOfSamples ? .sampleAES(source) : .aes128(source),
            subtitles: [Self.english],
            subtitleFormats: [.webVTT, .imsc1]
        )
        let input = started(fixture)
        fixture.channel.show([try Self.cue("in the clear", 5_000, 9_000)], in: 0)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        #expect(try vtt(1, of: fixture).contains("in the clear"))
        let text = try #require(fixture.bytes("text-en-2/\(Epoch.slot.value + 1).m4s"))
        #expect(String(buffer: text).contains("in the clear"))
        for (name, isKeyed) in [("text-en", false), ("text-en-2", false), ("video-180p", true)] {
            #expect(fixture.text("\(name).m3u8")?.contains("EXT-X-KEY") == isKeyed)
        }
    }

    @Test func aRestartGoesOnWithWhatWasPublished() throws {
        let whole = ChannelFixture(source: .pts, subtitles: [Self.english, Self.german])
        let first = ChannelFixture(source: .pts, subtitles: [Self.english, Self.german])
        let cues = [try Self.cue("before", 5_000, 6_000), try Self.cue("spanning", 11_000, 14_000)]
        let inputs = [started(whole), started(first)]
        for fixture in [whole, first] { fixture.channel.show(cues, in: 0) }
        feed.sendLive(0..<13_000, at: 0, to: inputs[0], of: whole)
        feed.sendLive(0..<13_000, at: 0, to: inputs[1], of: first)
        let second = ChannelFixture(source: .pts, subtitles: [Self.english, Self.german])
        second.goOn(from: first, at: 13_000)
        let input = started(second)
        // A source is read again, and gives what it has given before.
        #expect(post(cues, to: second).last == "3")
        feed.sendLive(13_000..<25_000, at: 13_000, to: inputs[0], of: whole)
        feed.sendLive(13_000..<25_000, at: 13_000, to: input, of: second)
        #expect(second.window("text-en") == second.window("text-de"))
        #expect(second.window("text-en").suffix(3) == ["3", "4", "5"])
        #expect(second.text("text-de.m3u8") == whole.text("text-de.m3u8"))
        #expect(try vtt(3, of: second) == vtt(3, of: whole) && vtt(3, of: second).contains("spanning"))
    }
}
