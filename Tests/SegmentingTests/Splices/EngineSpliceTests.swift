import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Operations
import Playlists
import SCTE35
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Codecs
@testable import Segmenting

/// The starts of segments, and the tags, of a feed of 25 pictures a second with a key frame every two seconds that is
/// spliced; slots last four seconds.
@Suite struct EngineSpliceTests {
    private struct Run {
        private(set) var engine: ChannelEngine
        private var now = SpliceFixture.at(0)
        /// Seconds at which the pictures of published segments begin.
        private(set) var starts: [Double] = []
        private(set) var tags: [String] = []
        private(set) var periods: [Int64] = []
        private(set) var notes: [String] = []
        /// The reports before a slot is decided on.
        private(set) var warnings: [String] = []
        /// The tags of the EXT-X-CUE-OUT family, by slot.
        private(set) var cues: [String] = []
        /// The messages in segments, by slot.
        private(set) var messages: [String] = []

        init(
            backups: Int = 0,
            slotsPerPeriod: Int? = nil,
            markers: SpliceMarkers = .passthrough,
            advertisements: [AdvertisementKind] = [],
            cueOutTags: CueOutTags = .none
        ) {
            var configuration = ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                clock: .pts,
                cryptoPeriods: slotsPerPeriod.map { CryptoPeriods(slotsPerPeriod: Int64($0)) },
                inputCount: 1,
                backupCount: backups,
                isPaced: true
            )
            (configuration.spliceMarkers, configuration.advertisements) = (markers, advertisements)
            (configuration.cueOutTags, configuration.hasSpliceMessages) = (cueOutTags, true)
            engine = ChannelEngine(configuration: configuration)
            let tracks = [InputTrack(index: 0, kind: .video, codec: .h264)]
            for input in engine.configuration.inputs { handle(.added(input, .live)) }
            for input in engine.configuration.inputs {
                handle(.opened(input, tracks))
                handle(.began(input, tracks, timestampModulus: 1 << 33))
            }
        }

        private mutating func handle(_ event: ChannelEngine.Event) {
            for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
                switch action {
                case .requestKeys(let request):
                    let keys = request.classes.map { ($0, [KeyReference.made(for: $0, request.period)]) }
                    handle(.keysArrived(request.period, Dictionary(uniqueKeysWithValues: keys)))
                case .publish(let decisions): for decision in decisions { observe(decision) }
                case .report(.record(let event)): warnings.append(event.message)
                default: break
                }
            }
        }

        private mutating func observe(_ decision: ChannelEngine.SlotDecision) {
            for segment in decision.segments {
                starts.append((segment.contents.cut.start.utc - SpliceFixture.at(0)).seconds)
                guard case .keys(let keys) = segment.contents.protection, let key = keys.first else { continue }
                periods.append(key.period.index)
            }
            for case .record(let event) in decision.notes where event.kind != .onAir { notes.append(event.message) }
            let number = decision.number.value - SpliceFixture.start / 4
            tags += decision.dateRanges.above.map { "\(number) above \($0.summary)" }
            if let cue = decision.dateRanges.cue { cues += cue.lines.split(separator: "\n").map { "\(number) \($0)" } }
            let contents = decision.segments.first?.contents
            messages += (contents?.isGap == false ? contents?.sections ?? [] : []).map { section in
                "\(number) \((section.utc - SpliceFixture.at(0)).seconds) \(section.duration?.seconds ?? -1)"
            }
            tags += decision.dateRanges.below.map { "\(number) below \($0.summary)" }
        }

        /// Sends until then.
        mutating func send(_ script: Script, until end: Double = 30) {
            var frame = 0
            for step in 0..<Int(end * 25) {
                now = SpliceFixture.at(Double(step) * 0.04 + 0.1)
                for (heard, section) in script.cues where Int(heard * 25) == step {
                    guard let bytes = try? section.bytes(), let message = try? SpliceMessage(reading: bytes.span.bytes)
                    else { continue }
                    for input in engine.configuration.inputs where !script.isLost(input, heard) {
                        handle(.splice(input, message))
                    }
                }
                for (second, splice) in script.posts where Int(second * 25) == step {
                    let action = ScheduleAction(.splice(splice.section, at: splice.time), accepted: now, effective: now)
                    handle(.scheduled([action], .here))
                }
                if step >= script.reordering {
                    for input in engine.configuration.inputs where !script.isLost(input, Double(step) * 0.04) {
                        handle(.packet(input, script.packet(frame)))
                    }
                    frame += 1
                }
                if step.isMultiple(of: 5) { handle(.timeAdvanced([])) }
            }
        }
    }

    /// A script of the feed's cues.
    private struct Script {
        /// Each with the second at which it is heard.
        var cues: [(Double, SpliceInfoSection)] = []
        /// Posted sections, each with the second of its request and the time of its splice.
        var posts: [(Double, (section: [UInt8], time: MediaTime))] = []
        /// Seconds of key frames besides those of the rhythm.
        var keyFrames: [Double] = []
        /// The time in which the input delivers nothing, and its backup if there is one continues.
        var outage = 0.0..<0.0
        /// The number of pictures of a group that are presented between those before and after which they are decoded.
        var reordering = 0

        func isLost(_ input: InputID, _ second: Double) -> Bool { input == .input(0) && outage.contains(second) }

        private func isSync(_ picture: Int) -> Bool {
            picture.isMultiple(of: 50) || keyFrames.contains { Int(($0 * 25).rounded()) == picture }
        }

        /// The picture that is decoded as the n-th: before those that it follows by `reordering`, in closed groups.
        func packet(_ number: Int) -> ReadPacket {
            var picture = number
            if reordering > 0 {
                var begin = number
                while !isSync(begin) { begin -= 1 }
                var end = number + 1
                while !isSync(end) { end += 1 }
                let (block, place) = (number - begin - 1).quotientAndRemainder(dividingBy: reordering + 1)
                let first = begin + 1 + block * (reordering + 1)
                if number > begin, first + reordering < end {
                    picture = place == 0 ? first + reordering : first + place - 1
                }
            }
            let time = { (picture: Int) in Int64(SpliceFixture.timestamp(Double(picture) * 0.04)) }
            let info = PacketInfo(
                trackIndex: 0,
                presentationTimestamp: time(picture),
                decodeTimestamp: time(number - reordering)
            )
            let unit = TrackReader.Unit(
                payload: ByteBuffer(integer: picture),
                isSync: isSync(picture),
                configuration: .avc(SyntheticTracks.video)
            )
            return ReadPacket(info: info, content: .units([unit]))
        }
    }

    private static func script(_ splice: Double, heard: Double = 2, keyFrame: Bool = true) -> Script {
        Script(cues: [(heard, SpliceFixture.out(7, at: splice))], keyFrames: keyFrame ? [splice] : [])
    }

    @Test(arguments: [
        // On an edge, just before and just after one, and far from any.
        (12.0, [8.0, 12, 16]), (11.96, [8, 11.96, 16]), (12.04, [8, 12.04, 16]), (13.0, [8, 13, 16]),
        (10.2, [8, 10.2, 16]),
    ])
    func aSegmentBeginsWithTheSplice(splice: Double, starts: [Double]) {
        for reordering in [0, 2] {
            var run = Run()
            var script = Self.script(splice)
            script.reordering = reordering
            run.send(script)
            #expect(Array(run.starts.dropFirst(2).prefix(3)) == starts, "\(reordering) pictures reordered")
            let second = Int(splice) < 10 ? "0\(Int(splice))" : "\(Int(splice))"
            #expect(run.tags == ["2 below 7-20270115T0800\(second)Z \(splice) OUT"])
        }
    }

    @Test func twoSplicesInOneSlotBothBeginSegments() {
        var run = Run()
        let cues = [(2.0, SpliceFixture.out(7, at: 9)), (2.2, SpliceFixture.back(7, at: 11))]
        run.send(Script(cues: cues, keyFrames: [9, 11]))
        #expect(Array(run.starts.prefix(6)) == [0, 4, 9, 11, 16, 20])
        #expect(run.tags == ["1 below 7-20270115T080009Z 9.0 OUT", "2 below 7-20270115T080009Z 9.0 lasts 2.0 IN"])
    }

    /// A break that its feed postpones, cancels or shortens in time has no boundary where it was, and one where it is.
    @Test(
        arguments: [
            (SpliceFixture.out(7, at: 13.6), [8, 13.6, 16], ["2 below 7-20270115T080013Z 13.6 OUT"]),
            (SpliceFixture.cancel(7), [8, 12, 16], []),
        ] as [(SpliceInfoSection, [Double], [String])]
    )
    func aBreakThatIsWithdrawnLeavesNoBoundary(section: SpliceInfoSection, starts: [Double], tags: [String]) {
        var run = Run()
        let cues = [(2.0, SpliceFixture.out(7, at: 13)), (4.0, section)]
        run.send(Script(cues: cues, keyFrames: [13, 13.6]))
        #expect(Array(run.starts.dropFirst(2).prefix(3)) == starts)
        #expect(run.tags == tags)
        let withdrawn = "The splice at 2027-01-15T08:00:13.000Z was withdrawn: no segment begins with it."
        #expect(run.warnings.contains(withdrawn), "\(run.warnings)")
        #expect(!(run.warnings + run.notes).contains { $0.contains("too close") || $0.contains("no key frame") })
    }

    /// A posted break that is cancelled, or ends early, leaves no boundary where it was: a splice of the feed beside it
    /// has a segment of its own.
    @Test(
        arguments: [
            (SpliceFixture.cancel(300), 13.0, 13.8, [13.8]),
            (SpliceFixture.back(300, at: 17), 17, 20.8, [13, 17, 20.8]),
        ] as [(SpliceInfoSection, Double, Double, [Double])]
    )
    func aPostedBreakThatIsWithdrawnLeavesNoBoundary(
        section: SpliceInfoSection,
        time: Double,
        other: Double,
        starts: [Double]
    ) throws {
        let out = try SpliceFixture.out(300, at: 13, lasting: 8, returns: true).bytes()
        var script = Script(cues: [(6.0, SpliceFixture.out(7, at: other))], keyFrames: [13, 13.8, 17, 20.8, 21])
        script.posts = [(1, (out, SpliceFixture.at(13))), (4, (try section.bytes(), SpliceFixture.at(time)))]
        var run = Run()
        run.send(script)
        #expect(run.starts.filter { $0.truncatingRemainder(dividingBy: 4) != 0 } == starts, "\(run.starts)")
        #expect(!(run.warnings + run.notes).contains { $0.contains("too close") || $0.contains("no key frame") })
    }

    /// A table that is full of open breaks refuses another one, and takes what ends them.
    @Test func aFullTableTakesEndsOfBreaks() throws {
        var script = Script()
        script.cues = (0..<300 as Range<UInt32>).map { (1, SpliceFixture.out($0, at: 12)) }
        for event in 1_000..<1_064 as Range<UInt32> {
            let out = try SpliceFixture.out(event, at: 13).bytes()
            script.posts.append((1, (out, SpliceFixture.at(13))))
        }
        var run = Run()
        run.send(script, until: 9)
        let sections = [
            SpliceFixture.out(2_000, at: 14), SpliceFixture.back(1_000, at: 14), SpliceFixture.cancel(1_001),
        ]
        let contents = try sections.map { ScheduleAction.Content.splice(try $0.bytes(), at: SpliceFixture.at(14)) }
        let outcomes = run.engine.review(contents, at: SpliceFixture.at(9)).outcomes
        #expect(outcomes.map { $0.map(\.isRefusal) } == [[true], [false], [false]], "\(outcomes)")
        #expect(outcomes.first == [.refused(.tooMany)])
        #expect(run.engine.watches.repairs.totals["surplusBreak"] == 44)
    }

    /// The end of a break that was cancelled after its start is known: it was not forgotten.
    @Test func aBreakThatIsCancelledLateIsNotReported() {
        var run = Run()
        run.send(Script(cues: [(2, SpliceFixture.out(7, at: 8, lasting: 6)), (10, SpliceFixture.cancel(7))]))
        #expect(run.tags.last?.contains("lasts") == true, "\(run.tags)")
        #expect(!run.notes.contains { $0.contains("No message") }, "\(run.notes)")
    }

    /// A return that comes a little beside the time that was assumed has its boundary there.
    @Test(arguments: [0.04, 0.2, 0.48])
    func aReturnBesideTheAssumedOneHasABoundary(distance: Double) {
        var run = Run()
        let cues = [
            (2.0, SpliceFixture.out(7, at: 8, lasting: 9, returns: true)),
            (10.0, SpliceFixture.back(7, at: 17 + distance)),
        ]
        run.send(Script(cues: cues, keyFrames: [17, 17 + distance]))
        let near = run.starts.filter { abs($0 - 17) < 1 }
        #expect(near == [distance < 0.1 ? 17 : 17 + distance], "\(run.starts)")
    }

    /// A break that returns before it was to return by itself has one end.
    @Test func aBreakThatIsShortenedHasOneEnd() {
        var run = Run()
        let cues = [
            (2.0, SpliceFixture.out(7, at: 8, lasting: 13, returns: true)), (10.0, SpliceFixture.back(7, at: 17)),
        ]
        run.send(Script(cues: cues, keyFrames: [17, 21]))
        #expect(Array(run.starts.prefix(6)) == [0, 4, 8, 12, 17, 20])
    }

    /// The segment begins with the first key frame after the splice, whose date stays what it is.
    @Test func spliceWaitsForALateKeyFrame() {
        var run = Run()
        run.send(Self.script(13, keyFrame: false))
        #expect(Array(run.starts.prefix(5)) == [0, 4, 8, 14, 16])
        #expect(run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"])
    }

    /// The edge that the splice would have moved has gone by, so that its tag lies inside its segment.
    @Test func lateCueIsAnnouncedInsideItsSegment() {
        var run = Run()
        run.send(Self.script(13, heard: 12.6))
        #expect(Array(run.starts.prefix(5)) == [0, 4, 8, 12, 16])
        #expect(
            run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"] || run.tags == ["3 above 7-20270115T080013Z 13.0 OUT"]
        )
    }

    /// It begins when it is heard, and the end that it says is its end, however near a segment begins.
    @Test(arguments: [8.0, 8.04, 8.08, 8.12, 9.5])
    func anImmediateBreakLastsAsLongAsItSays(heard: Double) {
        var run = Run()
        run.send(Script(cues: [(heard, SpliceFixture.out(7, at: nil, lasting: 5, returns: true))]))
        #expect(run.tags.count == 2 && run.tags.last?.hasSuffix(" lasts 5.0 IN") == true, "\(run.tags)")
        #expect(run.warnings.contains { $0.contains("immediate") }, "\(run.warnings)")
        let all = run.warnings + run.notes
        #expect(!all.contains { $0.contains("too late") || $0.contains("No message") }, "\(all)")
    }

    /// Twice what was planned.
    @Test func aBreakThatNobodyEnds() {
        var run = Run()
        run.send(Script(cues: [(2, SpliceFixture.out(7, at: 8, lasting: 6))]))
        #expect(run.tags.last == "4 below 7-20270115T080008Z 8.0 lasts 12.0")
        #expect(
            run.notes == [
                "No message of the feed ends the break at 2027-01-15T08:00:08.000Z: playlists end it after 12.0 s."
            ]
        )
    }

    @Test func spliceInsideAGapIsAnnounced() {
        var run = Run()
        var script = Self.script(13)
        script.outage = 10..<17
        run.send(script)
        #expect(run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"])
    }

    /// The segment that would announce the splice is a gap: the next one does.
    @Test func spliceAnnouncedInAGapIsInTheNextSegment() {
        var run = Run()
        var script = Self.script(13)
        script.outage = 7.5..<17
        run.send(script)
        #expect(run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"])
        #expect(run.messages == ["4 13.0 -1.0"])
    }

    @Test func segmentBeginsAtASpliceAfterAFailover() {
        var run = Run(backups: 1)
        var script = Self.script(13)
        script.outage = 11..<20
        run.send(script)
        #expect(Array(run.starts.prefix(6)) == [0, 4, 8, 13, 16, 20])
        #expect(run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"])
    }

    /// A key belongs to a number, wherever its segment begins.
    @Test func spliceDoesNotMoveAKeyPeriod() {
        var run = Run(slotsPerPeriod: 3)
        run.send(Self.script(13))
        #expect(Array(run.starts.prefix(5)) == [0, 4, 8, 13, 16])
        let first = run.periods.first ?? 0
        #expect(Array(run.periods.prefix(6)).map { $0 - first } == [0, 0, 0, 1, 1, 1])
        #expect(run.tags == ["2 below 7-20270115T080013Z 13.0 OUT"])
    }

    @Test func unwantedSplicesAreLeftOut() {
        for (markers, kinds, count) in [
            (SpliceMarkers.none, AdvertisementKind.usual, 0), (.ads, AdvertisementKind.usual, 1), (.ads, [.program], 1),
            (.ads, [.network], 0), (.passthrough, [], 2),
        ] {
            var run = Run(markers: markers, advertisements: kinds)
            let cues = [(2.0, SpliceFixture.out(7, at: 9)), (2.0, SpliceFixture.signal(8, 0x10, at: 17))]
            run.send(Script(cues: cues, keyFrames: [9, 17]))
            #expect(run.tags.count == count, "\(markers) \(kinds): \(run.tags)")
        }
    }

    /// Each break is of whole segments, and one of those within each other is told of.
    @Test func adServersAreToldOfOneBreakAtATime() {
        var run = Run(advertisements: AdvertisementKind.usual, cueOutTags: .duration)
        let cues = [
            (2.0, SpliceFixture.out(7, at: 9, lasting: 9)), (2.2, SpliceFixture.signal(8, 0x30, at: 10)),
            (2.4, SpliceFixture.signal(5, 0x10, at: 9)), (6, SpliceFixture.signal(8, 0x31, at: 14)),
            (10, SpliceFixture.back(7, at: 18)), (10.2, SpliceFixture.out(9, at: 18, lasting: 4, returns: true)),
        ]
        run.send(Script(cues: cues, keyFrames: [9]))
        #expect(Array(run.starts.prefix(7)) == [0, 4, 9, 10, 14, 18, 22])
        #expect(
            run.cues == [
                "2 #EXT-X-CUE-OUT:DURATION=9.000", "3 #EXT-X-CUE-OUT-CONT:ElapsedTime=1.000,Duration=9.000",
                "4 #EXT-X-CUE-OUT-CONT:ElapsedTime=5.000,Duration=9.000", "5 #EXT-X-CUE-IN",
                "5 #EXT-X-CUE-OUT:DURATION=4.000", "6 #EXT-X-CUE-IN",
            ]
        )
    }

    /// Messages are in the segment before, as tags of playlists are, with the same times.
    @Test func segmentsCarryTheSplicesOfPlaylists() {
        var run = Run()
        let cues = [(2.0, SpliceFixture.out(7, at: 9, lasting: 2)), (2.2, SpliceFixture.back(7, at: 11))]
        run.send(Script(cues: cues + [(3, SpliceFixture.signal(8, 0x01, at: 17))], keyFrames: [9, 11]))
        #expect(run.messages == ["1 9.0 2.0", "2 11.0 0.0", "3 17.0 0.0"])
        #expect(run.tags.map { $0.split(separator: " ")[0] } == ["1", "2", "3"])
    }
}
