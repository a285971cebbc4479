import Archive
import ContentProtection
import Foundation
import ISOBMFF
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
@testable import Inspection
@testable import Packaging
@testable import Segmenting

@Suite struct ChannelTests {
    private static func schedule() throws -> KeySchedule {
        KeySchedule(secret: try #require(MasterSecret(Array(1...32))), channel: "live", slotsPerPeriod: 2)
    }

    // MARK: Live

    @Test func aLiveFeedIsPublishedSlotBySlot() throws {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        #expect(
            fixture.text("index.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:1
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",LANGUAGE="und",DEFAULT=YES,AUTOSELECT=YES,\
                CHANNELS="2",STABLE-RENDITION-ID="audio",URI="audio.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=700000,CODECS="avc1.42c00c,mp4a.40.2",\
                RESOLUTION=320x180,STABLE-VARIANT-ID="video-180p.audio",FRAME-RATE=25.000,AUDIO="audio",CLOSED-CAPTIONS=NONE
                video-180p.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1900,AVERAGE-BANDWIDTH=1900,CODECS="avc1.42c00c",\
                RESOLUTION=320x180,STABLE-VARIANT-ID="video-180p-iframes",URI="video-180p-iframes.m3u8"

                """
        )
        #expect(
            fixture.text("video-180p.m3u8")?.replacing(/init-[0-9a-f]{16}/, with: "init-HASH") == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448750000
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="video-180p/init-HASH.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:40.000Z
                #EXTINF:4.000000,
                video-180p/448750000.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:44.000Z
                #EXTINF:4.000000,
                video-180p/448750001.m4s

                """
        )
        #expect(
            fixture.text("audio.m3u8")?.replacing(/init-[0-9a-f]{16}/, with: "init-HASH") == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448750000
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="audio/init-HASH.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:40.000Z
                #EXTINF:4.010667,
                audio/448750000.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T11:06:44.011Z
                #EXTINF:3.989333,
                audio/448750001.m4s

                """
        )
        #expect(fixture.channel.inputBytes > 0)
    }

    @Test func segmentsHoldThePicturesThatCame() throws {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        let segment = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + 1).m4s"))
        let fragment = try #require(ParsedFragment.fragments(in: segment).first)
        #expect(fragment.samples.count == 100)
        let first = try #require(fragment.samples.first)
        let length = { (bytes: [UInt8]) in [0, 0, 0, UInt8(bytes.count)] + bytes }
        #expect(segment.getBytes(at: first.range.lowerBound, length: first.size) == length(ChannelFeed.idrSlice))
        #expect(fragment.samples.map(\.isSync).count { $0 } == 4)
    }

    @Test func aLostInputIsAGapOnTimeAndComesBackInItsTrueSlot() {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: fixture)
        input.inputLost(reason: "connection reset")
        fixture.wait(until: 26_000)
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4 gap"])
        // Elsewhere its container numbers tracks the other way around, and its timestamps start over.
        let other = ChannelFeed(video: 7, audio: 3, base: 77_000_000)
        other.open(input)
        other.sendLive(0..<13_000, at: 26_000, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["2", "3", "4 gap", "5 gap", "6", "7", "8"])
        #expect(fixture.window("audio") == ["2", "3", "4 gap", "5 gap", "6", "7", "8"])
    }

    @Test func aBackupTakesOverAndGivesBackWhichIsOnRecord() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let primary = fixture.channel.makeInput(.input(0), pace: .live)
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        feed.open(primary)
        feed.open(backup)
        feed.sendLive(0..<9_000, at: 0, to: [primary, backup], of: fixture)
        primary.inputLost(reason: "end of file")
        feed.sendLive(9_000..<17_000, at: 9_000, to: backup, of: fixture)
        feed.open(primary)
        feed.sendLive(17_000..<38_000, at: 17_000, to: [primary, backup], of: fixture)
        #expect(fixture.window("video-180p") == ["2", "3", "4", "5", "6", "7", "8"])
        #expect(
            fixture.record == [
                "input-opened input-1", "input-opened backup-1", "on-air", "input-lost input-1", "input-health input-1",
                "switched backup-1 video-180p audio", "input-opened input-1",
                "input-returned input-1", "input-health input-1", "switched input-1 video-180p",
                "switched input-1 audio",
            ]
        )
    }

    @Test func ofABackupThatDoesNotMatchIsUsedWhatDoes() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        var other = feed
        other.audio = nil
        let primary = fixture.channel.makeInput(.input(0), pace: .live)
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        feed.open(primary)
        other.open(backup)
        feed.sendLive(0..<9_000, at: 0, to: primary, of: fixture)
        other.sendLive(9_000..<25_000, at: 9_000, to: backup, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4"])
        #expect(fixture.window("audio") == ["0", "1", "2", "3 gap", "4 gap"])
        let problems = fixture.channel.events.entries().map(\.event).filter { $0.kind == .inputProblem }
        #expect(
            problems.map(\.message) == [
                "It has no track for audio: viewers get gaps of that while this input is on air."
            ]
        )
        #expect(problems.map(\.input) == ["backup-1"])
    }

    /// AC-3 of half the sample rate (bsid 9), and ADTS with two raw data blocks a frame: their containers do not tell.
    @Test(
        arguments: [
            (.ac3, [0x0B, 0x77, 0, 0, 0x14, 9 << 3, 0x40, 0, 0, 0], "AC-3 of a reduced sample rate"),
            (.aac, [0xFF, 0xF1, 0x4C, 0x80, 1, 0x5F, 0xFD, 0, 0, 0], "several raw data blocks in an ADTS frame"),
        ] as [(InputTrack.Codec, [UInt8], String)]
    )
    func audioThatOnlyItsFramesTellToBeUnreadableIsSaidOnce(codec: InputTrack.Codec, frame: [UInt8], name: String) {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        var feed = ChannelFeed()
        feed.audio = nil
        input.inputOpened(
            tracks: feed.tracks + [InputTrack(index: 1, kind: .audio, codec: codec)],
            timestampModulus: ChannelFeed.modulus
        )
        for time in 0..<3 as Range<Int64> {
            let info = PacketInfo(
                trackIndex: 1,
                presentationTimestamp: feed.base + time * 2880,
                decodeTimestamp: feed.base + time * 2880
            )
            input.inputReceived(info, payload: frame.span.bytes)
        }
        let problems = fixture.channel.events.entries().map(\.event).filter { $0.kind == .inputProblem }
        #expect(problems.map(\.message) == ["Track 1: its packets are dropped, since \(name) is not carried."])
    }

    @Test func thatPlaylistsAreRefusedIsOnRecordAndThatTheyAreServedAgain() {
        let fixture = ChannelFixture(endpoint: EndpointHealth(policy: EndpointPolicy(failOn: [.incomplete])))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: fixture)
        fixture.wait(until: 20_000)
        feed.sendLive(20_000..<32_000, at: 20_000, to: input, of: fixture)
        let events = fixture.channel.events.entries().map(\.event).filter { $0.kind == .endpoint }
        #expect(events.map(\.message) == ["Playlists are answered 503: incomplete.", "Playlists are served again."])
    }

    @Test func aDamagedKeyFrameCostsItsGroupAndNoMore() throws {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.send(0..<17_000, to: input, damaged: [10_000]) { fixture.clock.set(Epoch.at($0)) }
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3"])
        let segment = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + 2).m4s"))
        let fragment = try #require(ParsedFragment.fragments(in: segment).first)
        #expect(fragment.samples.count == 75)
        #expect(fragment.endDecodeTime - fragment.baseMediaDecodeTime == 360_000)
    }

    /// Slice headers have to be read where samples are encrypted.
    @Test(arguments: [true, false])
    func aKeyFrameThatCannotBeReadCostsItsGroupAndNoMore(isKeyFrame: Bool) throws {
        let fixture = ChannelFixture(encryption: .sampleAES(try Self.schedule()))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed(audio: nil)
        feed.open(input)
        let lost: Int64 = isKeyFrame ? 10_000 : 10_040
        for time in stride(from: Int64(0), to: 17_000, by: 40) {
            fixture.clock.set(Epoch.at(time))
            if time == lost {
                let bytes: [UInt8] = [0, 0, 0, 1, isKeyFrame ? 0x65 : 0x41]
                feed.deliver(bytes, track: 0, ticks: time * 90, isCorrupt: false, to: [input])
            } else {
                feed.send(time..<time + 40, to: input)
            }
        }
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3"])
        let segment = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + 2).m4s"))
        let fragment = try #require(ParsedFragment.fragments(in: segment).first)
        #expect(fragment.samples.count == (isKeyFrame ? 75 : 99))
        let state = fixture.channel.engine.segmenter.tracks[0].selector.selection.wholeRuns
        #expect(state == [Epoch.slot.value + 3].map { MediaSequenceNumber($0)...MediaSequenceNumber($0) })
    }

    @Test func noPayloadEndsTheChannel() {
        let fixture = ChannelFixture(encryption: .none)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        var generator = SeededGenerator(seed: 6)
        feed.send(0..<17_000, to: input) { time in
            fixture.clock.set(Epoch.at(time))
            // Garbage of both tracks, and of one that nobody has heard of, among the packets.
            for track in 0...2 {
                let count = Int.random(in: 0...60, using: &generator)
                let garbage = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) & 0x3F }
                guard garbage.first != 0, track != 1 else { continue }
                feed.deliver(garbage, track: track, ticks: time * 90 - 900, isCorrupt: false, to: [input])
            }
        }
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3"])
    }

    @Test func tracksOfOtherCodecsAreLeftOut() {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed(video: 1, audio: 2)
        let other = InputTrack(index: 0, kind: .video, codec: .unsupported("mpeg2video"))
        input.inputOpened(tracks: [other] + feed.tracks, timestampModulus: ChannelFeed.modulus)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1"])
    }

    @Test func anInputWithoutUsableTracksIsWaitedForUntilItHasSome() {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let other = InputTrack(index: 0, kind: .video, codec: .unsupported("mpeg2video"))
        input.inputOpened(tracks: [other], timestampModulus: nil)
        fixture.wait(until: 30_000)
        input.inputLost(reason: "end of file")
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<9_000, at: 30_000, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["8"])
    }

    @Test func aLiveInputDoesNotWaitForOneThatStaysAway() {
        let fixture = ChannelFixture(inputCount: 2)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        _ = fixture.channel.makeInput(.input(1), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<33_000, at: 0, to: input, of: fixture)
        // Ten seconds of patience.
        let window = fixture.window("video-180p")
        #expect(window.first == "3" || window.first == "1", "\(window)")
        #expect(window.last == "7")
    }

    @Test func twoPackagersOnAFeedOfUTCTimestampsPublishTheSameBytes() throws {
        let fixtures = try (0..<2).map { _ in
            ChannelFixture(source: .pts, encryption: .sampleAES(try Self.schedule()))
        }
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        for (fixture, join) in zip(fixtures, [0, 9_320] as [Int64]) {
            let input = fixture.channel.makeInput(.input(0), pace: .live)
            fixture.clock.set(Epoch.at(join))
            feed.open(input)
            feed.sendLive(join..<29_000, at: join, to: input, of: fixture)
        }
        #expect(fixtures[0].window("video-180p") == ["0", "1", "2", "3", "4", "5", "6"])
        #expect(fixtures[1].window("video-180p") == ["3", "4", "5", "6"])
        for rendition in ["video-180p", "audio"] {
            for slot in 3...6 as ClosedRange<Int64> {
                let path = "\(rendition)/\(Epoch.slot.value + slot).m4s"
                #expect(try #require(fixtures[0].bytes(path)) == #require(fixtures[1].bytes(path)))
            }
        }
        #expect(fixtures[0].text("index.m3u8") == fixtures[1].text("index.m3u8"))
        // From the first line that both have on, their playlists are the same text.
        func tail(_ fixture: ChannelFixture) -> String? {
            let text = fixture.text("video-180p.m3u8") ?? ""
            return text.range(of: "\(Epoch.slot.value + 3).m4s").map { String(text[$0.upperBound...]) }
        }
        #expect(try #require(tail(fixtures[0])) == #require(tail(fixtures[1])))
    }

    @Test func playlistsNameTheKeysOfTheirSegments() throws {
        let schedule = try Self.schedule()
        let fixture = ChannelFixture(encryption: .aes128(schedule))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed()
        feed.open(input)
        feed.sendLive(0..<17_000, at: 0, to: input, of: fixture)
        let playlist = try #require(fixture.text("video-180p.m3u8"))
        let multivariant = try #require(fixture.text("index.m3u8"))
        for slot in 1...3 as ClosedRange<Int64> {
            let period = schedule.periods.period(of: MediaSequenceNumber(Epoch.slot.value + slot))
            let key = try schedule.keys(for: period, .video)
            #expect(playlist.contains("METHOD=AES-128,URI=\"keys/\(key.keyID)\"\n"))
        }
        #expect(playlist.components(separatedBy: "#EXT-X-KEY").count - 1 == 2)
        // This period's and the next one's, of both kinds of track.
        #expect(multivariant.components(separatedBy: "#EXT-X-SESSION-KEY").count - 1 == 4)
    }

    // MARK: Stored

    @Test func aStoredFeedIsWholeAndEnded() throws {
        let fixture = ChannelFixture(isPaced: false)
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let feed = ChannelFeed()
        fixture.clock.set(Epoch.at(1_234))
        feed.open(input)
        feed.send(0..<9_000, to: input)
        input.inputEnded()
        #expect(fixture.window("video-180p") == ["0", "1", "2"])
        let playlist = try #require(fixture.text("audio.m3u8"))
        #expect(playlist.hasSuffix("#EXT-X-ENDLIST\n"))
        let pictures = try (0...2 as ClosedRange<Int64>).map { slot in
            let segment = try #require(fixture.bytes("video-180p/\(Epoch.slot.value + slot).m4s"))
            return try #require(ParsedFragment.fragments(in: segment).first).samples.count
        }
        #expect(pictures == [100, 100, 25])
    }

    /// Keeps the second slot from being published until the feed has come further.
    private final class SecondSlot: PublicationConsumer {
        let name = "second"
        let policy = ConsumerPolicy.observes
        let interest = Publication.Kinds.slots
        let isPassed = DispatchSemaphore(value: 0)
        private let count = Atomic(0)
        let isMet = Atomic(false)

        func take(_ batch: [Publication]) -> ConsumerResult {
            guard count.add(1, ordering: .relaxed).newValue == 2 else { return .done }
            isMet.store(isPassed.wait(timeout: .now() + 120) == .success, ordering: .relaxed)
            return .done
        }
    }

    @Test func aStoredFeedIsReadWhileASlotIsPublished() {
        let second = SecondSlot()
        let fixture = ChannelFixture(isPaced: false, consumers: [second], isInline: false)
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let feed = ChannelFeed()
        feed.open(input)
        feed.send(0..<30_000, to: input) { if $0 == 11_000 { second.isPassed.signal() } }
        input.inputEnded()
        fixture.channel.finish()
        let isMet = second.isMet.load(ordering: .relaxed)
        #expect(isMet)
        #expect(fixture.text("video-180p.m3u8")?.hasSuffix("#EXT-X-ENDLIST\n") == true)
    }

    @Test func storedInputsWaitForEachOther() throws {
        let fixture = ChannelFixture(isPaced: false, inputCount: 2)
        let feeds = [ChannelFeed(audio: nil), ChannelFeed(video: nil, audio: 0, base: 5_000)]
        let inputs = (0...1).map { fixture.channel.makeInput(.input($0), pace: .stored) }
        let furthest = Mutex<[Int64]>([0, 0])
        let most = Mutex<Int64>(0)
        let finished = DispatchSemaphore(value: 0)
        for (index, (feed, input)) in zip(feeds, inputs).enumerated() {
            Thread {
                feed.open(input)
                feed.send(0..<60_000, to: input) { time in
                    let lead = furthest.withLock { furthest in
                        furthest[index] = time
                        return abs(furthest[0] - furthest[1])
                    }
                    most.withLock { $0 = max($0, lead) }
                }
                furthest.withLock { $0[index] = 60_000 }
                input.inputEnded()
                finished.signal()
            }.start()
        }
        for _ in inputs { #expect(finished.wait(timeout: .now() + 120) == .success) }
        #expect(most.withLock { $0 } <= 16_100, "none runs more than four slots ahead")
        #expect(fixture.window("video-180p") == (0...14).map(String.init).suffix(fixture.window("video-180p").count))
        #expect(fixture.window("audio") == fixture.window("video-180p") && !fixture.window("audio").isEmpty)
        #expect(fixture.text("video-180p.m3u8")?.hasSuffix("#EXT-X-ENDLIST\n") == true)
    }

    @Test func aStoppedChannelLetsItsInputsGo() async throws {
        let fixture = ChannelFixture(isPaced: false, inputCount: 2)
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let finished = DispatchSemaphore(value: 0)
        Thread {
            // The other input never comes.
            ChannelFeed().open(input)
            finished.signal()
        }.start()
        // It waits for the other at once after that.
        _ = try await eventually(within: 60, "it is open") {
            fixture.channel.events.entries().contains { $0.event.kind == .inputOpened } ? true : nil
        }
        fixture.channel.stop()
        _ = try await eventually(within: 60, "it has ended") { finished.wait(timeout: .now()) == .success ? true : nil }
    }

    @Test func aStoredFeedWithoutUsableTracksEnds() {
        let fixture = ChannelFixture(isPaced: false)
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let other = InputTrack(index: 0, kind: .audio, codec: .unsupported("mp2"))
        input.inputOpened(tracks: [other], timestampModulus: nil)
        input.inputEnded()
        #expect(fixture.text("index.m3u8") == nil)
        #expect(fixture.presentation.snapshot().state == .ended)
    }

    @Test func theMirrorHoldsWhatTheOriginServes() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "channel-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let mirror = try DirectoryMirror(directory: directory.path, waits: true) { event in
            Issue.record("\(event)")
        }
        let fixture = ChannelFixture(isPaced: false, consumers: [mirror])
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let feed = ChannelFeed()
        feed.open(input)
        feed.send(0..<9_000, to: input)
        input.inputEnded()
        fixture.presentation.finish()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { $0.contains(".") }
        #expect(paths.count == 4 + 2 * 3 + 2)
        for path in paths {
            let data = try Data(contentsOf: directory.appending(path: path))
            #expect(try #require(fixture.bytes(path)) == ByteBuffer(bytes: data), "\(path)")
        }
    }
}
