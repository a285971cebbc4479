import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Two sources for each track of a segmenter, on a grid of four seconds; times are milliseconds from the epoch on.
@Suite struct FailoverTests {
    private struct Driver {
        var segmenter: Segmenter
        var slots: [Slot] = []
        var configurations: [[CodecConfiguration]] = [
            [.avc(SyntheticTracks.video), .avc(SyntheticTracks.video)],
            [.aac(SyntheticTracks.audio), .aac(SyntheticTracks.audio)],
        ]
        /// The times that are added to those of each source.
        var offsets: [MediaTime] = [.zero, .zero]
        /// The track that gets the pictures.
        var videoTrack = 0
        /// UTC minus media time of each source.
        var clocks: [MediaTime] = [.zero, .zero]
        var summaries: [String] { slots.map(\.summary) }
        /// Returns the source that has filled each slot of a track; nil for none.
        func sources(_ track: Int) -> [SourceRank?] { slots.map { $0.sources[track] } }

        init(filler: LossFiller = .gap, failback: Int64 = 8) {
            segmenter = Segmenter(
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                failback: MediaTime(seconds: failback),
                filler: filler
            )
            segmenter.addTrack(.video, sourceCount: 2)
            segmenter.addTrack(.audio, sourceCount: 2)
        }

        /// Pictures every 40 ms with a sync sample a second, and audio, from these sources, interleaved by time; they arrive
        /// as they play, or all at one time.
        mutating func run(
            _ range: Range<Int64>,
            video: [Int] = [0, 1],
            audio: [Int] = [0, 1],
            lateAudio: [Int] = [],
            at arrival: Int64? = nil
        ) {
            let arrival = arrival.map { Epoch.at($0) }
            let (start, end) = (Epoch.at(range.lowerBound), Epoch.at(range.upperBound))
            var picture = start
            var frame = (start.value(timescale: 48_000) + 1_023) / 1_024
            while picture < end {
                for source in video {
                    let isSync = (picture - Epoch.time).ticks % 90_000 == 0
                    deliver(picture, videoTrack, source, isSync: isSync, at: arrival ?? picture)
                }
                picture += MediaTime(milliseconds: 40)
                while MediaTime(frame * 1_024, timescale: 48_000) < min(picture, end) {
                    for source in audio {
                        let time = MediaTime(frame * 1_024, timescale: 48_000)
                        deliver(time, 1, source, isSync: true, at: arrival ?? time)
                    }
                    for source in lateAudio {
                        let time = MediaTime(frame * 1_024, timescale: 48_000)
                        deliver(time, 2, source, isSync: true, at: arrival ?? time)
                    }
                    frame += 1
                }
                slots += segmenter.timeAdvanced(to: arrival ?? picture)
            }
        }

        private mutating func deliver(
            _ time: MediaTime,
            _ track: Int,
            _ source: Int,
            isSync: Bool,
            at arrival: MediaTime
        ) {
            slots += segmenter.received(
                Sample(
                    decodeTime: time + offsets[source] - clocks[source],
                    presentationTime: time + offsets[source] - clocks[source],
                    isSync: isSync,
                    payload: ByteBuffer(bytes: [UInt8(track), isSync ? 1 : 0])
                ),
                track: TrackIndex(track),
                source: SourceRank(source),
                configuration: configurations[track][source],
                utcOffset: clocks[source],
                arrival: arrival
            )
        }

        /// Replaces the video by another track, as a codec that changes does.
        mutating func replaceVideo() {
            videoTrack = segmenter.addTrack(.video, sourceCount: 2).value
            configurations.append(configurations[0])
            segmenter.setSources([], of: 0)
        }

        /// Adds an audio track like the first one.
        mutating func addAudio() {
            segmenter.addTrack(.audio, sourceCount: 2)
            configurations.append(configurations[1])
        }

        mutating func silence(until time: Int64) { slots += segmenter.timeAdvanced(to: Epoch.at(time)) }
    }

    /// Media without holes or overlaps: each segment begins where the one before ended.
    private static func expectContinuity(_ slots: [Slot], track: Int) {
        for (before, after) in zip(slots, slots.dropFirst()) {
            guard let before = before.segments[track], let after = after.segments[track] else { continue }
            #expect(after.decodeTime == before.decodeTime + before.duration)
            #expect(after.start == before.end)
            if !after.isGap { #expect(after.duration == after.samples.reduce(0) { $0 + Int64($1.duration) }) }
        }
    }

    @Test func aKilledPrimaryOnACommonClockCostsNothing() {
        var driver = Driver()
        driver.run(0..<10_000)
        driver.segmenter.inputRestarted(tracks: [0, 1], source: 0)
        driver.run(10_000..<26_000, video: [1], audio: [1])
        #expect(driver.sources(0) == [0, 0, 1, 1, 1, 1])
        #expect(driver.sources(1).prefix(3) == [0, 0, 1])
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity && $0.segments.allSatisfy { $0?.isWhole == true } })
        var alone = Driver()
        alone.run(0..<26_000, video: [0], audio: [0])
        #expect(driver.summaries == alone.summaries, "the same bytes as without the failure")
    }

    /// A track that comes after a failover is moved onto the timeline of viewers like the other tracks of its source.
    @Test(arguments: [0, 70, -3_000] as [Int64])
    func aTrackThatJoinsAfterAFailoverIsInSync(difference: Int64) throws {
        var driver = Driver()
        driver.clocks[1] = MediaTime(milliseconds: difference)
        driver.run(0..<10_000)
        driver.run(10_000..<26_000, video: [1], audio: [1])
        driver.addAudio()
        driver.run(26_000..<46_000, video: [1], audio: [1], lateAudio: [1])
        let joined = driver.slots.filter { $0.segments.count > 2 && $0.segments[2]?.isGap == false }
        #expect(joined.count >= 3)
        for slot in joined {
            let (audio, late) = (try #require(slot.segments[1]), try #require(slot.segments[2]))
            #expect(late.decodeTime == audio.decodeTime && late.duration == audio.duration)
        }
    }

    @Test(arguments: [70, -3_000] as [Int64])
    func aVideoThatIsReplacedAfterAFailoverIsInSync(difference: Int64) throws {
        var driver = Driver()
        driver.clocks[1] = MediaTime(milliseconds: difference)
        driver.run(0..<10_000)
        driver.run(10_000..<26_000, video: [1], audio: [1])
        driver.replaceVideo()
        driver.run(26_000..<54_000, video: [1], audio: [1])
        let replaced = driver.slots.filter { $0.segments.count > 2 && $0.segments[2]?.isGap == false }
        #expect(replaced.count >= 3)
        for slot in replaced {
            let (video, audio) = (try #require(slot.segments[2]), try #require(slot.segments[1]))
            #expect(video.end.utc - video.end.media == audio.end.utc - audio.end.media)
        }
    }

    @Test func aPulledCableIsNoticedWithinASecondOfTheSlotsEnd() {
        var driver = Driver()
        driver.run(0..<11_520)
        driver.run(11_520..<13_000, video: [1], audio: [1])
        #expect(driver.slots.count == 3)
        #expect(driver.sources(0) == [0, 0, 1])
    }

    @Test func theBackupGivesBackOnceThePrimaryHasProvedItself() {
        var driver = Driver()
        driver.run(0..<10_000)
        driver.run(10_000..<17_000, video: [1], audio: [1])
        driver.run(17_000..<40_100)
        #expect(driver.sources(0) == [0, 0, 1, 1, 1, 0, 0, 0, 0, 0])
    }

    @Test func onlyTheRenditionThatIsHurtFailsOver() {
        var driver = Driver()
        driver.run(0..<9_000)
        driver.run(9_000..<20_100, audio: [1])
        #expect(driver.sources(0) == [0, 0, 0, 0, 0])
        #expect(driver.sources(1).prefix(5) == [0, 0, 1, 1, 1])
        Self.expectContinuity(driver.slots, track: 1)
    }

    @Test func anotherConfigurationIsADiscontinuity() {
        var driver = Driver()
        driver.configurations[0][1] = .avc(
            AVCConfiguration(
                sequenceParameterSets: [[0x67]],
                pictureParameterSets: [[0x68]],
                profile: 66,
                compatibility: 0,
                level: 30,
                picture: PictureFormat(width: 320, height: 180)
            )
        )
        driver.run(0..<10_000)
        driver.run(10_000..<20_100, video: [1], audio: [1])
        #expect(driver.slots.map(\.startsDiscontinuity) == [false, false, true, false, false])
    }

    @Test(arguments: [-730, -40, 40, 730] as [Int64])
    func aBackupThatLiesElsewhereIsJoinedEndToEnd(offset: Int64) {
        var driver = Driver()
        driver.offsets[1] = MediaTime(milliseconds: offset)
        driver.run(0..<10_000)
        driver.run(10_000..<30_000, video: [1], audio: [1])
        #expect(driver.sources(0).prefix(5) == [0, 0, 1, 1, 1])
        for track in 0...1 { Self.expectContinuity(driver.slots, track: track) }
        for slot in driver.slots { #expect(slot.segments[0]?.samples.first?.isSync == true) }
        #expect(driver.slots.allSatisfy { slot in slot.segments.allSatisfy { $0.map { $0.duration > 0 } ?? true } })
    }

    @Test func aFrozenSourceIsNotTakenForWhole() {
        var driver = Driver()
        driver.run(0..<5_000)
        driver.segmenter.setFit(false, track: 0, source: 0)
        driver.run(5_000..<12_100)
        #expect(driver.sources(0) == [0, 1, 1])
        #expect(driver.sources(1).prefix(2) == [0, 0])
    }

    @Test func anOperatorSelectsAndHolds() {
        var driver = Driver(failback: 4)
        driver.run(0..<5_000)
        for track in 0...1 { driver.segmenter.select(source: 1, track: TrackIndex(track), holds: true) }
        driver.run(5_000..<24_100)
        #expect(driver.sources(0) == [0, 1, 1, 1, 1, 1])
        for track in 0...1 { driver.segmenter.selectAutomatically(track: TrackIndex(track)) }
        driver.run(24_100..<36_100)
        #expect(driver.sources(0).suffix(2) == [0, 0])
    }

    /// A caller that dies soon after the start cannot be reached again, and a track is still awaited.
    @Test func deadInputDoesNotHoldUpTheStart() {
        var driver = Driver()
        driver.segmenter.addTrack(.audio, sourceCount: 2)
        driver.configurations.append(driver.configurations[1])
        driver.run(0..<1_000)
        for time in stride(from: Int64(1_000), to: 25_000, by: 2_000) {
            driver.segmenter.inputRestarted(tracks: [0, 1, 2], source: 0)
            driver.run(time..<time + 2_000, video: [1], audio: [1])
        }
        #expect(driver.sources(0) == [1, 1, 1, 1, 1, 1])
        #expect(driver.slots.allSatisfy { $0.segments[0]?.isWhole == true && $0.segments[1]?.isWhole == true })
        for track in 0...1 { Self.expectContinuity(driver.slots, track: track) }
    }

    /// The input of the video restarts before the first slot, and that of the audio does not: both begin together.
    @Test func tracksOfOtherInputsBeginWithTheVideo() throws {
        var driver = Driver()
        driver.segmenter.addTrack(.audio, sourceCount: 1)
        driver.run(0..<9_000, video: [0], audio: [0])
        driver.segmenter.inputRestarted(tracks: [0], source: 0)
        driver.run(20_000..<45_000, video: [0], audio: [0])
        let first = try #require(driver.slots.first)
        let (video, audio) = (try #require(first.segments[0]), try #require(first.segments[1]))
        #expect(video.isWhole && audio.isWhole)
        #expect(abs((audio.start.utc - video.start.utc).milliseconds) <= 25, "\(video.start.utc) \(audio.start.utc)")
        for track in 0...1 { Self.expectContinuity(driver.slots, track: track) }
    }

    // MARK: Nothing left

    @Test func bothLostAreGapsOnTimeAndMediaComesBackInItsSlot() {
        var driver = Driver()
        driver.run(0..<10_000)
        for source in [0, 1] as [SourceRank] {
            driver.segmenter.inputRestarted(tracks: [0, 1], source: source)
        }
        for time in stride(from: Int64(10_000), to: 21_000, by: 100) { driver.silence(until: time) }
        driver.run(21_000..<32_100)
        #expect(driver.slots.map { $0.segments[0]?.isGap } == [false, false, false, true, true, false, false, false])
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity })
    }

    /// A picture that only begins to be refreshed shows nothing by itself, and is not held.
    @Test(arguments: [(false, true), (true, false)])
    func aGradualRefreshIsNotHeld(isGradual: Bool, isHeld: Bool) {
        func cut(_ seconds: Range<Int64>, _ samples: [FragmentSample]) -> CutSegment {
            CutSegment(
                number: Epoch.slot,
                start: Boundary(media: Epoch.at(seconds.lowerBound * 1000), utcOffset: .zero),
                end: Boundary(media: Epoch.at(seconds.upperBound * 1000), utcOffset: .zero),
                timescale: 90_000,
                decodeTime: Epoch.at(seconds.lowerBound * 1000).ticks,
                duration: 360_000,
                samples: samples,
                configuration: samples.isEmpty ? nil : .avc(SyntheticTracks.video)
            )
        }
        let samples = (0..<4).map { index in
            FragmentSample(duration: 90_000, isSync: index == 0, payload: ByteBuffer(integer: Int64(index)))
        }
        var media = cut(0..<4, samples)
        media.recoversGradually = isGradual
        let plan = BoundaryPlan(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
        var track = SegmenterTrack(.video, sourceCount: 1, plan, .slot, failback: .zero)
        track.advance(past: media)
        #expect((LossFiller.hold.fill(cut(4..<8, []), of: track) != nil) == isHeld)
    }

    @Test func theLastKeyFrameAndSilenceHoldAPlaceWithoutAGap() throws {
        var driver = Driver(filler: .hold)
        driver.run(0..<8_100)
        for time in stride(from: Int64(8_100), to: 24_000, by: 100) { driver.silence(until: time) }
        driver.run(24_000..<33_000)
        #expect(driver.slots.allSatisfy { slot in slot.segments.allSatisfy { $0?.isGap == false } })
        let held = driver.slots.filter { $0.segments[0]?.filler == .hold }
        #expect(held.count == 3)
        let segment = try #require(held[0].segments[0])
        #expect(segment.samples.map(\.isSync) == [true, true, true, true])
        #expect(segment.samples[0].payload == ByteBuffer(bytes: [0, 1]))
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity })
        Self.expectContinuity(driver.slots, track: 0)
    }

    /// Segments begin with key frames: between those that are further apart, a slate would begin again and again.
    @Test(arguments: [([0], 10), ([0, 2], 8), ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1), ([0, 6], 6)] as [([Int], Int64)])
    func theKeyFramesOfASlateAreMeasured(syncs: [Int], distance: Int64) {
        let samples = (0..<10).map {
            FragmentSample(duration: 90_000, isSync: syncs.contains($0), payload: ByteBuffer())
        }
        let card = Slate.Track(configuration: .avc(SyntheticTracks.video), timescale: 90_000, samples: samples)
        #expect(Slate(video: card, audio: nil).keyFrameDistance == MediaTime(seconds: distance))
        #expect(Slate(video: nil, audio: card).keyFrameDistance == nil)
    }

    @Test func aSlateRunsOnTheClock() throws {
        let card = CodecConfiguration.avc(
            AVCConfiguration(
                sequenceParameterSets: [[0x67, 1]],
                pictureParameterSets: [[0x68]],
                profile: 66,
                compatibility: 0,
                level: 30,
                picture: PictureFormat(width: 640, height: 360)
            )
        )
        let samples = (0..<10).map { index in
            FragmentSample(duration: 45_000, isSync: index % 2 == 0, payload: ByteBuffer(bytes: [9, UInt8(index)]))
        }
        let slate = Slate(video: Slate.Track(configuration: card, timescale: 90_000, samples: samples), audio: nil)
        var driver = Driver(filler: .slate(slate))
        driver.run(0..<8_100)
        for time in stride(from: Int64(8_100), to: 19_000, by: 100) { driver.silence(until: time) }
        driver.run(19_000..<33_000)
        let shown = driver.slots.filter { $0.segments[0]?.filler == .slate }
        #expect(!shown.isEmpty)
        for slot in shown {
            let segment = try #require(slot.segments[0])
            #expect(segment.samples[0].isSync)
            // What is on air follows from the time alone.
            let position = segment.start.utc.value(timescale: 90_000) % 450_000 / 45_000 / 2 * 2
            #expect(segment.samples[0].payload == ByteBuffer(bytes: [9, UInt8(position)]))
            #expect(slot.segments[1]?.filler == .hold)
        }
        #expect(driver.slots.count(where: \.startsDiscontinuity) == 2, "into the slate, and out of it")
    }

    /// Players have chosen a variant by its codecs: what is of another one does not come.
    @Test func aSlateOfAnotherCodecIsNotShown() throws {
        let sample = FragmentSample(duration: 90_000, isSync: true, payload: ByteBuffer(bytes: [9]))
        let card = CodecConfiguration.avc(SyntheticTracks.video)
        let slate = Slate(video: Slate.Track(configuration: card, timescale: 90_000, samples: [sample]), audio: nil)
        #expect(slate.mismatch(with: .video, of: "avc1.4d4028") == nil)
        #expect(slate.mismatch(with: .audio, of: "ac-3") == nil, "it has no audio of another codec")
        #expect(
            slate.mismatch(with: .video, of: "hvc1.1.6.L93.90")
                == "the slate has video of avc1.64001e, not of hvc1.1.6.L93.90: the newest key frame is shown instead"
        )
        var driver = Driver(filler: .slate(slate))
        let av1 = CodecConfiguration.av1(
            AV1Configuration(
                sequenceHeader: [10, 1, 0],
                profile: 0,
                level: 4,
                isHighTier: false,
                picture: SyntheticTracks.video.picture
            )
        )
        driver.configurations[0] = [av1, av1]
        driver.run(0..<8_100)
        for time in stride(from: Int64(8_100), to: 19_000, by: 100) { driver.silence(until: time) }
        let filled = driver.slots.compactMap { $0.segments[0] }.filter { $0.filler != nil }
        #expect(!filled.isEmpty && filled.allSatisfy { $0.filler == .hold })
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity })
    }

    /// Makes a track of two sources, by slots of four seconds.
    private static func track(_ kind: MediaKind) -> SegmenterTrack {
        SegmenterTrack(
            kind,
            sourceCount: 2,
            BoundaryPlan(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4))),
            .slot,
            failback: MediaTime(seconds: 8)
        )
    }

    /// Leading pictures of a clean random access picture refer to what the other encoder has made.
    @Test func atASwitchPicturesThatReferToAnotherEncodersAreLeftOut() throws {
        var track = Self.track(.video)
        func cut(_ slot: Int64) -> CutSegment {
            let samples = [true, false, false, false].map {
                FragmentSample(duration: 90_000, isSync: $0, payload: ByteBuffer(bytes: [1]))
            }
            let (start, end) = (Epoch.at(slot * 4_000), Epoch.at(slot * 4_000 + 4_000))
            return CutSegment(
                number: MediaSequenceNumber(Epoch.slot.value + slot),
                start: Boundary(media: start, utcOffset: .zero),
                end: Boundary(media: end, utcOffset: .zero),
                timescale: 90_000,
                decodeTime: start.ticks,
                duration: 360_000,
                samples: samples,
                skippedLeading: [1, 3],
                configuration: .avc(SyntheticTracks.video),
                coverage: MediaTime(seconds: 4),
                isWhole: true
            )
        }
        var shown: [[UInt32]] = []
        // Of the second source alone from slot 2 on, none of slot 4, and of the second again.
        let stored: [(Int64, [SourceRank])] = [(0, [0, 1]), (1, [0, 1]), (2, [1]), (3, [1]), (4, []), (5, [1])]
        for (slot, sources) in stored {
            for source in sources { track.store(cut(slot), from: source) }
            let number = MediaSequenceNumber(Epoch.slot.value + slot)
            let chosen = track.choose(number, now: nil, isForced: true).map { cut, source in
                track.joined(cut, from: source, longest: MediaTime(seconds: 6))
            }
            var gap = cut(slot)
            gap.samples = []
            track.advance(past: chosen ?? gap)
            shown.append(chosen?.samples.map(\.duration) ?? [])
        }
        let (whole, cutOff): ([UInt32], [UInt32]) = ([90_000, 90_000, 90_000, 90_000], [180_000, 180_000])
        #expect(shown == [whole, whole, cutOff, whole, [], cutOff])
    }

    /// Behind another encoder's pictures, or none, a clean random access picture of HEVC begins a sequence of its own.
    @Test func picturesBehindASwitchCountFromTheirKeyFrame() {
        var track = Self.track(.video)
        var configuration = HEVCConfiguration(
            videoParameterSets: [],
            sequenceParameterSets: [],
            pictureParameterSets: [],
            profileTierLevel: .init(profile: 1, compatibilityFlags: 0x6000_0000, constraintFlags: 0, level: 90),
            picture: SyntheticTracks.video.picture
        )
        func types(_ slot: Int64, of source: SourceRank, key: UInt8) -> [UInt8] {
            let start = Boundary(media: Epoch.at(slot * 4_000), utcOffset: .zero)
            let cut = CutSegment(
                number: MediaSequenceNumber(Epoch.slot.value + slot),
                start: start,
                end: Boundary(media: start.media + MediaTime(seconds: 4), utcOffset: .zero),
                timescale: 90_000,
                decodeTime: start.media.ticks,
                duration: 360_000,
                samples: [key, 1, 21, 1].map { type in
                    let unit: [UInt8] = [0, 0, 0, 3, type << 1, 1, 0x80]
                    return FragmentSample(duration: 90_000, isSync: type > 15, payload: ByteBuffer(bytes: unit))
                },
                configuration: .hevc(configuration)
            )
            let joined = track.joined(cut, from: source, longest: MediaTime(seconds: 6))
            track.advance(past: joined)
            return joined.samples.map { ($0.payload.getInteger(at: 4, as: UInt8.self) ?? 0) >> 1 }
        }
        #expect(types(0, of: 0, key: 21) == [21, 1, 21, 1])
        #expect(types(1, of: 0, key: 21) == [21, 1, 21, 1])
        // BLA_W_RADL, and another encoder's IDR picture, which needs nothing.
        #expect(types(2, of: 1, key: 21) == [17, 1, 21, 1])
        #expect(types(3, of: 1, key: 21) == [21, 1, 21, 1])
        #expect(types(4, of: 0, key: 19) == [19, 1, 21, 1])
        configuration.picture = PictureFormat(width: 64, height: 64)
        #expect(types(5, of: 0, key: 21) == [21, 1, 21, 1])
    }

    /// Each source has a media timeline of its own where a clock is by arrival.
    @Test func aGapOfAnotherSourceEndsWithItsSlot() {
        var track = Self.track(.audio)
        func cut(_ slot: Int64, of source: Int, isGap: Bool) -> CutSegment {
            let utcOffset = MediaTime(milliseconds: [0, -1_429][source])
            let start = Boundary(media: Epoch.at(slot * 4_000) - utcOffset, utcOffset: utcOffset)
            return CutSegment(
                number: MediaSequenceNumber(Epoch.slot.value + slot),
                start: start,
                end: Boundary(media: start.media + MediaTime(seconds: 4), utcOffset: utcOffset),
                timescale: 90_000,
                decodeTime: start.media.ticks,
                duration: 360_000,
                samples: isGap
                    ? [] : [FragmentSample(duration: 360_000, isSync: true, payload: ByteBuffer(bytes: [1]))],
                configuration: isGap ? nil : .aac(SyntheticTracks.audio)
            )
        }
        // The first source has media of slots 0 and 3, and then the second; what is between has its gaps from the second.
        let fillings = [(0, false), (1, true), (1, true), (0, false), (1, true), (1, false)]
        for (slot, (source, isGap)) in fillings.enumerated() {
            let segment = track.joined(
                cut(Int64(slot), of: source, isGap: isGap),
                from: SourceRank(source),
                longest: MediaTime(seconds: 6)
            )
            let (start, end) = (Epoch.at(Int64(slot) * 4_000), Epoch.at(Int64(slot) * 4_000 + 4_000))
            #expect(segment.start.utc == start && segment.end.utc == end, "\(slot): \(segment.start) to \(segment.end)")
            #expect(segment.decodeTime == start.ticks && segment.duration == 360_000, "\(slot)")
            track.advance(past: segment)
        }
    }

    // MARK: After a restart

    @Test func slotsMissedWhileDownAreGapsAndNumbersGoOn() {
        var driver = Driver()
        let end = SegmentEnd(Boundary(media: Epoch.at(8_000), utcOffset: .zero))
        driver.segmenter.resume(after: MediaSequenceNumber(Epoch.slot.value + 1), ends: [end, end])
        for time in stride(from: Int64(17_000), to: 17_520, by: 100) { driver.silence(until: time) }
        driver.run(17_520..<28_100)
        let numbers = driver.slots.map { $0.number.value - Epoch.slot.value }
        #expect(numbers == [2, 3, 4, 5, 6])
        #expect(driver.slots.map { $0.segments[0]?.isGap } == [true, true, true, false, false])
        Self.expectContinuity(driver.slots, track: 0)
    }

    /// A feed that is read once more comes later than any of its samples has told.
    @Test(arguments: [true, false]) func slotsWaitForAFeedThatIsReadOnceMore(comes: Bool) {
        var driver = Driver()
        let end = SegmentEnd(Boundary(media: Epoch.at(8_000), utcOffset: .zero))
        driver.segmenter.resume(after: MediaSequenceNumber(Epoch.slot.value + 1), ends: [end, end])
        driver.segmenter.awaitRepetition(until: Epoch.at(22_000))
        for time in stride(from: Int64(14_000), to: comes ? 20_000 : 22_100, by: 100) { driver.silence(until: time) }
        guard comes else {
            #expect(driver.slots.map { $0.segments[0]?.isGap } == [true, true])
            return
        }
        #expect(driver.slots.isEmpty)
        // What others have seen of it comes first, and says nothing.
        driver.run(7_000..<8_000, at: 20_000)
        driver.silence(until: 21_000)
        #expect(driver.slots.isEmpty)
        driver.run(8_000..<20_520, at: 21_000)
        driver.run(20_520..<24_100)
        #expect(driver.slots.map { $0.number.value - Epoch.slot.value } == [2, 3, 4, 5])
        #expect(driver.slots.allSatisfy { $0.segments.allSatisfy { $0?.isGap == false } })
        Self.expectContinuity(driver.slots, track: 0)
    }

    /// Audio of a transport stream often comes half a second behind its pictures.
    @Test func audioThatComesBehindTheFirstPicturesIsWaitedFor() {
        var driver = Driver()
        let end = SegmentEnd(Boundary(media: Epoch.at(8_000), utcOffset: .zero))
        driver.segmenter.resume(after: MediaSequenceNumber(Epoch.slot.value + 1), ends: [end, end])
        driver.run(8_000..<12_200, video: [0], audio: [])
        driver.run(8_000..<12_200, video: [], audio: [0])
        #expect(driver.slots.map { $0.segments.map { $0?.isGap } } == [[false, false]])
    }
}
