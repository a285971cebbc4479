import Codecs
import MediaCore
import NIOCore
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

/// Tracks that come and go on air; times are milliseconds from the epoch on, slots take four seconds, the window is of 24.
@Suite struct ChannelTrackTests {
    private static let base = Epoch.time.ticks % ChannelFeed.modulus
    private let video = ChannelFeed(audio: nil, base: base)
    private let feed = ChannelFeed(base: base)

    /// One input of a channel, and what it has shown.
    private struct Run {
        let fixture: ChannelFixture
        let input: ChannelInput
        var now: Int64 = 0

        init(_ fixture: ChannelFixture = ChannelFixture(source: .pts)) {
            self.fixture = fixture
            input = fixture.channel.makeInput(.input(0), pace: .live)
        }

        /// The container names its tracks, and they come until then; each feed has one of them.
        mutating func show(_ feeds: [ChannelFeed], tracks: [InputTrack]? = nil, until end: Int64) {
            input.inputOpened(tracks: tracks ?? feeds.flatMap(\.tracks), timestampModulus: ChannelFeed.modulus)
            send(feeds, to: [input], until: end)
        }

        /// With AC-3 besides, in frames of 32 ms.
        mutating func send(_ feeds: [ChannelFeed], syncframe: ([UInt8], track: Int), until end: Int64) {
            while now < end {
                for time in stride(from: (now + 31) / 32 * 32, to: now + 40, by: 32) {
                    feeds[0].deliver(
                        syncframe.0,
                        track: syncframe.track,
                        ticks: time * 90,
                        isCorrupt: false,
                        to: [input]
                    )
                }
                send(feeds, to: [input], until: now + 40)
            }
        }

        mutating func send(_ feeds: [ChannelFeed], to inputs: [ChannelInput], until end: Int64) {
            while now < end {
                fixture.clock.set(Epoch.at(now))
                for feed in feeds { feed.sendMoment(now, to: inputs) }
                if now % 200 == 0 { fixture.channel.timeAdvanced() }
                now += 40
            }
        }
    }

    /// Audio in languages, tracks numbered from 1 on.
    private func audio(_ index: Int, _ language: String, codec: InputTrack.Codec = .aac) -> InputTrack {
        InputTrack(
            index: InputTrackIndex(index),
            kind: .audio,
            codec: codec,
            header: codec == .aac ? [0x11, 0x90] : [],
            language: language
        )
    }

    private func audio(_ index: Int) -> ChannelFeed { ChannelFeed(video: nil, audio: index, base: Self.base) }

    private static func syncframe() throws -> [UInt8] {
        let configuration = AC3Configuration(
            sampleRateCode: 0,
            bitstreamIdentification: 8,
            bitstreamMode: 0,
            audioCodingMode: 2,
            hasLowFrequencyEffects: false,
            bitRateCode: 8
        )
        return Array(try #require(AudioSilence.frame(for: .ac3(configuration))).readableBytesView)
    }

    private func names(_ fixture: ChannelFixture) -> [String] {
        fixture.presentation.snapshot().renditions.map(\.id.name)
    }

    /// Anybody may send a program map to a port: it must fill neither memory nor the disk of the log.
    @Test func aFeedHasABoundedNumberOfTracks() throws {
        var run = Run()
        run.show([feed], until: 9_000)
        let before = run.fixture.channel.events.entries().count
        for round in 0..<500 {
            let language = String(decoding: [97 + UInt8(round / 26 % 26), 97 + UInt8(round % 26), 120], as: UTF8.self)
            run.input.inputOpened(
                tracks: feed.tracks + [audio(2 + round, language, codec: .ac3)],
                timestampModulus: ChannelFeed.modulus
            )
            run.input.inputNoticed(.unregisteredSplices(program: 1, pids: [round]))
            run.input.inputNoticed(.programs(carried: [1, round], read: [1]))
        }
        #expect(run.fixture.channel.events.entries().count - before < 100)
        // One that sends something is published all the same.
        let tracks = feed.tracks + [audio(2, "fr")]
        run.show([feed, audio(2)], tracks: tracks, until: 25_040)
        #expect(run.fixture.window("audio") == ["0", "1", "2", "3", "4", "5"])
        #expect(run.fixture.window("audio-fr") == ["3", "4", "5"])
        #expect(run.fixture.channel.engine.renditions.count <= 70)
    }

    // MARK: Coming

    @Test func lateAudioIsPublishedFromItsFirstWholeSlotOn() {
        var run = Run()
        run.show([video], until: 10_000)
        run.show([feed], until: 25_040)
        #expect(run.fixture.window("video-180p") == ["0", "1", "2", "3", "4", "5"])
        #expect(run.fixture.window("audio") == ["3", "4", "5"])
        #expect(run.fixture.text("index.m3u8")?.contains("audio.m3u8") == true)
        let news = run.fixture.channel.events.entries().map(\.event).filter {
            $0.input != nil && $0.kind != .inputOpened
        }
        #expect(news.map(\.kind) == [.tracks])
        #expect(news.first?.message == "It now has audio track 1, aac: viewers get it once a segment is made of it.")
    }

    @Test func lateAudioIsThereAfterAReconnect() {
        var run = Run()
        run.show([video], until: 9_000)
        run.input.inputLost(reason: "end of file")
        run.show([feed], until: 21_040)
        #expect(run.fixture.window("audio") == ["3", "4"])
    }

    @Test func aLanguageThatTheFeedGainsIsPublished() {
        var run = Run()
        let tracks = video.tracks + [audio(1, "en")]
        run.show([video, audio(1)], tracks: tracks, until: 9_000)
        run.show([video, audio(1), audio(2)], tracks: tracks + [audio(2, "fr")], until: 17_040)
        #expect(run.fixture.window("audio-en") == ["0", "1", "2", "3"])
        #expect(run.fixture.window("audio-fr") == ["3"])
    }

    @Test func aBackupFillsWhatItsPrimaryGained() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        var run = Run(fixture)
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        // The encoder of the backup was changed first.
        let tracks = video.tracks + [audio(1, "en"), audio(2, "fr")]
        backup.inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
        run.show([video, audio(1)], tracks: video.tracks + [audio(1, "en")], until: 9_000)
        run.input.inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
        run.send([video, audio(1), audio(2)], to: [run.input, backup], until: 17_040)
        run.input.inputLost(reason: "end of file")
        run.send([video, audio(1), audio(2)], to: [backup], until: 26_000)
        #expect(fixture.window("audio-fr") == ["3", "4", "5"])
    }

    @Test func aBackupMayAddATrackWhereItIsAlone() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        var run = Run(fixture)
        run.show([feed], until: 9_000)
        run.input.inputLost(reason: "end of file")
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        backup.inputOpened(tracks: feed.tracks + [audio(2, "fr")], timestampModulus: ChannelFeed.modulus)
        feed.sendLive(9_000..<21_000, at: 9_000, to: backup, of: fixture)
        #expect(fixture.channel.engine.renditions.count == 3)
    }

    // MARK: Going

    @Test func nobodyWaitsForATrackThatTheFeedHasLost() {
        var run = Run()
        let tracks = video.tracks + [audio(1, "en"), audio(2, "fr")]
        run.show([video, audio(1), audio(2)], tracks: tracks, until: 9_000)
        run.show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 12_120)
        #expect(run.fixture.window("video-180p") == ["0", "1", "2"])
        // What came of it is published.
        #expect(run.fixture.window("audio-fr") == ["0", "1", "2"])
        run.show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 16_120)
        #expect(run.fixture.window("audio-fr") == ["0", "1", "2", "3 gap"])
        #expect(!run.fixture.channel.endpoint.state.isIncomplete)
        #expect(run.fixture.channel.status(at: run.fixture.clock.now).reasons == [])
        let said = run.fixture.channel.events.entries().map(\.event).filter { $0.kind == .tracks }.map(\.message)
        #expect(
            said == [
                "It no longer has audio (fr): audio-fr has gaps from now on, and leaves the playlists with the last of its media."
            ]
        )
    }

    @Test func aRenditionLeavesWithTheLastOfItsMediaAndMayReturn() {
        var run = Run()
        let tracks = video.tracks + [audio(1, "en"), audio(2, "fr")]
        run.show([video, audio(1), audio(2)], tracks: tracks, until: 9_000)
        run.show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 29_000)
        #expect(run.fixture.text("index.m3u8")?.contains("audio-fr") == true)
        run.show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 45_000)
        #expect(run.fixture.text("index.m3u8")?.contains("audio-fr") == false)
        #expect(run.fixture.text("audio-fr.m3u8") == nil)
        #expect(names(run.fixture) == ["video-180p", "audio-en"])
        run.show([video, audio(1), audio(2)], tracks: tracks, until: 57_040)
        #expect(run.fixture.window("audio-fr").suffix(2) == ["12", "13"])
        #expect(run.fixture.text("audio-fr.m3u8")?.contains("EXT-X-GAP") == false, "its playlist begins anew")
        #expect(run.fixture.window("video-180p").allSatisfy { !$0.contains("discontinuity") })
    }

    /// The same track of the container, of another codec.
    @Test func aCodecThatChangesMakesAnotherRendition() throws {
        var run = Run()
        run.show([video, audio(1)], tracks: video.tracks + [audio(1, "en")], until: 9_000)
        let tracks = video.tracks + [audio(1, "en", codec: .ac3)]
        run.input.inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
        let frame = try Self.syncframe()
        run.send([video], syncframe: (frame, track: 1), until: 45_000)
        #expect(run.fixture.window("audio-en-ac3") == ["5", "6", "7", "8", "9", "10"])
        #expect(names(run.fixture) == ["video-180p", "audio-en-ac3"])
        #expect(run.fixture.window("video-180p") == ["5", "6", "7", "8", "9", "10"])
    }

    /// The picture of a channel goes, and its audio leads; then it comes back.
    @Test func theNextTrackLeadsWhereTheLeaderHasGone() {
        var run = Run()
        run.show([feed], until: 9_000)
        run.show([audio(1)], until: 17_200)
        #expect(run.fixture.window("audio") == ["0", "1", "2", "3"])
        #expect(run.fixture.window("video-180p").suffix(1) == ["3 gap"])
        run.show([feed], until: 29_040)
        #expect(run.fixture.window("audio") == ["0", "1", "2", "3", "4", "5", "6"])
        #expect(run.fixture.window("video-180p").suffix(2) == ["5", "6"])
    }

    @Test func aChannelThatHasNothingElseListsItsGaps() {
        var run = Run()
        run.show([feed], until: 9_000)
        run.input.inputLost(reason: "end of file")
        run.fixture.wait(until: 60_000)
        #expect(run.fixture.text("index.m3u8")?.contains("audio.m3u8") == true)
        #expect(run.fixture.text("index.m3u8")?.contains("video-180p.m3u8") == true)
    }

    // MARK: What cannot be written

    /// ADTS has three bits for channelConfiguration (ISO/IEC 14496-3 § 1.A.3.2.1); 7.1 with speakers above is 14.
    @Test(arguments: [true, false])
    func whatCannotBeWrittenKeepsNothingElseFromStarting(isAlone: Bool) {
        var run = Run(ChannelFixture(source: .pts, format: .ts))
        var surround = audio(2, "de")
        surround.header = [0x11, 0xF0]
        let feeds = isAlone ? [video, audio(2)] : [video, audio(1), audio(2)]
        run.show(feeds, tracks: video.tracks + (isAlone ? [] : [audio(1, "en")]) + [surround], until: 25_000)
        #expect(run.fixture.window("video-180p").suffix(3) == ["3", "4", "5"])
        if !isAlone { #expect(run.fixture.window("audio-en").suffix(3) == ["3", "4", "5"]) }
        #expect(run.fixture.text("audio-de.m3u8") == nil)
        #expect(run.fixture.text("index.m3u8")?.contains("audio-de") == false)
        let said = run.fixture.channel.events.entries().map(\.event).filter { $0.kind == .inputProblem }
        #expect(said.count == 1)
        #expect(said.first?.message.hasPrefix("Audio-de is left out until it can be written: ") == true, "\(said)")
    }

    // MARK: Two packagers

    @Test func aPairAgreesOnWhichSlotsATrackHas() throws {
        let tracks = video.tracks + [audio(1, "en"), audio(2, "fr")]
        var runs = [Run(), Run()]
        for index in runs.indices {
            runs[index].show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 9_000)
            // The one hears of time going by between the packets, the other does not.
            if index == 1 { runs[index].fixture.wait(until: 9_000) }
            runs[index].show([video, audio(1), audio(2)], tracks: tracks, until: 21_000)
            runs[index].show([video, audio(1)], tracks: Array(tracks.prefix(2)), until: 65_000)
        }
        for path in ["index.m3u8", "video-180p.m3u8", "audio-en.m3u8"] {
            #expect(try #require(runs[0].fixture.text(path)) == #require(runs[1].fixture.text(path)))
        }
    }
}

extension ChannelFeed {
    /// The picture of a moment, and the audio that begins before the next one.
    fileprivate func sendMoment(_ time: Int64, to inputs: [ChannelInput]) {
        if video != nil { ChannelFeed(video: video, audio: nil, base: base).send(time..<time + 40, to: inputs) }
        guard let audio else { return }
        for frame in (time * 48 + 1_023) / 1_024..<((time + 40) * 48 + 1_023) / 1_024 {
            let ticks = MediaTime.rescale(frame * 1_024, from: 48_000, to: 90_000)
            deliver(Self.audioFrame(frame), track: audio, ticks: ticks, isCorrupt: false, to: inputs)
        }
    }
}
