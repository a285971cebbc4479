import ContentProtection
import MediaCore
import Operations
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// The fate of slots whose keys are late: by policy, by class, and by the delay.
///
/// Slots last 8 s, crypto periods two of them; the keys in question are those of slots 2 and 3.
@Suite struct EngineKeyTests {
    /// An engine, an encoder, and a source that has all keys at once but those of one period.
    private struct Run {
        var engine: ChannelEngine
        var encoder = EngineEncoder(.input(0), latency: MediaTime(milliseconds: 120), from: EngineRun.start)
        let first = CryptoPeriods(slotsPerPeriod: 2).period(of: EngineRun.grid.slot(at: EngineRun.start))
        let late: CryptoPeriod
        let lateClasses: Set<KeyClass>
        /// True if the source says that it has none.
        let fails: Bool
        var now = EngineRun.start
        /// Slot by slot the periods whose keys protect video and audio.
        private(set) var slots: [String] = []
        private(set) var published: [MediaTime] = []
        private(set) var lacking: [Bool] = []
        private(set) var sessionKeys: [[KeyReference]] = []
        private(set) var notes: [String] = []
        /// The slots with which operators read that media is back.
        private(set) var returns: [MediaSequenceNumber?] = []
        private(set) var requests: [KeyTimeline.Request] = []

        init(
            _ policy: LateKey,
            lateIndex: Int64 = 1,
            late classes: Set<KeyClass> = [.video, .audio],
            fails: Bool = false,
            slotsPerPeriod: Int64 = 2
        ) {
            var configuration = EngineRun.configuration(.pts, .slot, lateKey: policy)
            configuration.backupCount = 0
            configuration.cryptoPeriods = CryptoPeriods(slotsPerPeriod: slotsPerPeriod)
            engine = ChannelEngine(configuration: configuration)
            lateClasses = classes
            late = CryptoPeriod(first.index + lateIndex)
            self.fails = fails
            for event: ChannelEngine.Event in [
                .added(encoder.input, .live), .opened(encoder.input, encoder.tracks),
                .began(encoder.input, encoder.tracks, timestampModulus: EngineEncoder.modulus),
            ] {
                handle(event)
            }
        }

        private mutating func handle(_ event: ChannelEngine.Event) {
            for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
                switch action {
                case .requestKeys(let request):
                    requests.append(request)
                    answer(request)
                case .publish(let decisions): for decision in decisions { observe(decision) }
                case .report(.record(let event)) where event.kind == .keys: notes.append(event.message)
                default: break
                }
            }
        }

        private mutating func answer(_ request: KeyTimeline.Request) {
            let period = request.period
            let known = request.classes.filter { period != late || !lateClasses.contains($0) }
            handle(.keysArrived(period, Self.keys(known, of: period)))
            if fails, known != request.classes { handle(.keysFailed(period, reason: "no licence")) }
        }

        private static func keys(_ classes: [KeyClass], of period: CryptoPeriod) -> [KeyClass: [KeyReference]] {
            Dictionary(uniqueKeysWithValues: classes.map { ($0, [KeyReference.made(for: $0, period)]) })
        }

        private mutating func observe(_ decision: ChannelEngine.SlotDecision) {
            let what = decision.segments.map { segment in
                switch segment.contents.protection {
                case .clear, .clearLead: "clear"
                case .missing: "-"
                case .keys(let references): references.map { "\($0.period.index - first.index)" }.joined()
                }
            }
            slots.append(what.joined(separator: " "))
            published.append(now - EngineRun.start)
            lacking.append(decision.lacksKeys)
            sessionKeys.append(decision.announcement?.sessionKeys ?? [])
            for case .record(let event) in decision.notes where event.kind == .media { returns.append(event.slot) }
        }

        /// Sends nothing until then, in seconds.
        mutating func pause(until seconds: Double) {
            (encoder.hasVideo, encoder.hasAudio) = (false, false)
            send(until: seconds)
            (encoder.hasVideo, encoder.hasAudio) = (true, true)
        }

        /// Sends until then, in seconds.
        mutating func send(until seconds: Double) {
            let end = EngineRun.start + MediaTime(milliseconds: Int64(seconds * 1_000))
            while now < end {
                now += MediaTime(milliseconds: 200)
                for packet in encoder.packets(until: now - encoder.latency) {
                    handle(.packet(encoder.input, packet.packet))
                }
                handle(.timeAdvanced([]))
            }
        }

        mutating func refuse() { handle(.keysFailed(late, reason: "no licence")) }

        mutating func deliver() {
            handle(.keysArrived(late, Self.keys(Array(lateClasses), of: late)))
        }
    }

    /// The delay of the keys, counted from when slot 2 could have been published.
    private enum Lateness: Double, CaseIterable {
        case halfASlot = 0.5
        case threeSlots = 3
    }

    private static let expected: [LateKey: [Lateness: [String]]] = [
        .hold: [
            .halfASlot: ["0 0", "0 0", "1 1", "1 1", "2 2", "2 2"],
            .threeSlots: ["0 0", "0 0", "- -", "- -", "2 2", "2 2"],
        ],
        .reuse: [
            .halfASlot: ["0 0", "0 0", "0 0", "1 1", "2 2", "2 2"],
            .threeSlots: ["0 0", "0 0", "0 0", "0 0", "2 2", "2 2"],
        ],
        .gap: [
            .halfASlot: ["0 0", "0 0", "- -", "1 1", "2 2", "2 2"],
            .threeSlots: ["0 0", "0 0", "- -", "- -", "2 2", "2 2"],
        ],
        .fail: [
            .halfASlot: ["0 0", "0 0", "- -", "1 1", "2 2", "2 2"],
            .threeSlots: ["0 0", "0 0", "- -", "- -", "2 2", "2 2"],
        ],
    ]

    @Test(arguments: LateKey.allCases, [false, true])
    func lateKeyIsHandledByPolicy(policy: LateKey, fails: Bool) {
        for lateness in Lateness.allCases {
            var run = Run(policy, fails: fails)
            run.send(until: 24.4 + 8 * lateness.rawValue)
            run.deliver()
            run.send(until: 56)
            #expect(run.slots == Self.expected[policy]?[lateness], "\(lateness)")
            #expect(run.lacking == run.slots.map { $0.contains("-") })
            // RFC 8216bis § 6.2.2: 18 s for a target duration of 12 s.
            let pauses = zip(run.published, run.published.dropFirst()).map { $1 - $0 }
            #expect(pauses.allSatisfy { $0 < MediaTime(seconds: 18) }, "\(pauses.map(\.seconds))")
        }
    }

    @Test(arguments: LateKey.allCases)
    func missingKeyAffectsItsPeriodAlone(policy: LateKey) {
        var run = Run(policy)
        run.send(until: 56)
        let lost = policy == .reuse ? "0 0" : "- -"
        #expect(run.slots == ["0 0", "0 0", lost, lost, "2 2", "2 2"])
    }

    @Test(arguments: LateKey.allCases)
    func missingAudioKeyAffectsAudioAlone(policy: LateKey) {
        var run = Run(policy, late: [.audio])
        run.send(until: 56)
        let lost = policy == .reuse ? "1 0" : "1 -"
        #expect(run.slots == ["0 0", "0 0", lost, lost, "2 2", "2 2"])
        #expect(run.notes.count { $0.contains("audio") } == run.notes.count)
    }

    @Test func aSlotThatIsHeldIsPublishedWithItsKey() {
        var run = Run(.hold)
        run.send(until: 28)
        #expect(run.slots.count == 2)
        #expect(run.engine.isWaitingForKeys)
        run.deliver()
        #expect(run.slots.last == "1 1")
        #expect(!run.engine.isWaitingForKeys)
    }

    @Test(arguments: LateKey.allCases)
    func withoutAnyKeyAFeedBeginsWithGaps(policy: LateKey) {
        var run = Run(policy, lateIndex: 0)
        run.send(until: 56)
        #expect(run.slots.prefix(4) == ["- -", "- -", "1 1", "1 1"])
    }

    /// The encoder is well, and viewers get nothing: from the start of a feed, or later.
    @Test(arguments: [0, 1] as [Int64])
    func withoutAKeyTheChannelIsNotHealthy(lateIndex: Int64) {
        var run = Run(.gap, lateIndex: lateIndex, late: [.video])
        run.send(until: lateIndex == 0 ? 20 : 28)
        #expect(run.slots.last?.hasPrefix("-") == true)
        let status = run.engine.status(at: run.now)
        #expect(status.score == 0 && status.reasons == ["There is no key for video: its segments are gaps."])
        run.deliver()
        run.send(until: 56)
        let later = run.engine.status(at: run.now)
        #expect(later.score == 100 && later.reasons == [])
    }

    /// The first slot of a feed is decided when the next period has begun.
    @Test func whatTheFirstSlotNeedsIsAskedForOnce() {
        var run = Run(.gap, lateIndex: 100, slotsPerPeriod: 1)
        run.encoder.latency = MediaTime(milliseconds: 1_500)
        run.send(until: 30)
        let periods = run.requests.map(\.period)
        #expect(!run.slots.isEmpty && Set(periods).count == periods.count, "\(periods)")
    }

    @Test func aPeriodIsAskedForBeforeTheOneBeforeItBegins() {
        var run = Run(.hold, late: [])
        run.send(until: 56)
        let periods = run.requests.map { $0.period.index - run.first.index }
        #expect(periods == [2, 1, 0, 3, 4])
        #expect(run.notes.isEmpty)
    }

    // MARK: Reports

    @Test(arguments: [
        (LateKey.hold, false, 0.5, ["are held back", "There is a key"]),
        (.hold, false, 3, ["are held back", "its segments are gaps", "There is a key"]),
        (.hold, true, 3, ["notice nothing before", "are held back", "its segments are gaps", "There is a key"]),
        (.reuse, false, 3, ["The previous key stays in use", "There is a key"]),
        (.gap, false, 3, ["its segments are gaps", "There is a key"]),
        (.fail, true, 3, ["notice nothing before", "Playlists are refused", "There is a key"]),
    ])
    func anEpisodeIsToldOnce(policy: LateKey, fails: Bool, lateness: Double, expected: [String]) {
        var run = Run(policy, late: [.video], fails: fails)
        run.send(until: 24.4 + 8 * lateness)
        run.deliver()
        run.send(until: 56)
        #expect(run.notes.count == expected.count, "\(run.notes)")
        for (note, words) in zip(run.notes, expected) { #expect(note.contains(words), "\(note)") }
        #expect(!fails || run.notes.first?.contains("no licence") == true)
    }

    /// The input is back in slot 3, whose key is missing; a second loss before slot 4 changes nothing for viewers.
    @Test(arguments: [(24.0, nil), (24.0, 40.0), (32.0, nil)] as [(Double, Double?)])
    func mediaIsBackOnceViewersHaveIt(end: Double, second: Double?) {
        var run = Run(.gap)
        run.send(until: 16)
        run.pause(until: end)
        if let second {
            run.send(until: 32)
            run.pause(until: second)
        }
        run.send(until: 64)
        let slot = EngineRun.grid.slot(at: EngineRun.start).advanced(by: second == nil ? 4 : 5)
        #expect(run.returns == [slot], "\(run.slots)")
    }

    @Test func whyAKeyIsLateIsToldOnceItIsKnown() {
        var run = Run(.gap, late: [.video])
        run.send(until: 28)
        run.refuse()
        run.send(until: 30)
        run.refuse()
        run.deliver()
        run.send(until: 56)
        let expected = ["has not answered. Viewers get no video", "no licence. Viewers get no video", "There is a key"]
        #expect(run.notes.count == expected.count, "\(run.notes)")
        for (note, words) in zip(run.notes, expected) { #expect(note.contains(words), "\(note)") }
    }

    /// A source that has refused a key is asked again, and has not answered that when segments wait and become gaps.
    @Test func theReasonIsSaidWhileTheSourceIsAskedAgain() {
        var run = Run(.hold, late: [.video])
        run.send(until: 9)
        run.refuse()
        run.send(until: 48.4)
        let expected = [
            "no licence. Viewers notice nothing before", "no licence. New segments are held back",
            "no licence. Viewers get no video", "There is a key",
        ]
        #expect(run.notes.count == expected.count, "\(run.notes)")
        for (note, words) in zip(run.notes, expected) { #expect(note.contains(words), "\(note)") }
    }

    // MARK: Session keys

    @Test(arguments: [false, true])
    func aNextKeyThatIsLateIsNotListedAndKeepsNothingBack(fails: Bool) {
        var run = Run(.fail, fails: fails)
        run.send(until: 17)
        #expect(run.slots == ["0 0", "0 0"])
        #expect(run.lacking == [false, false])
        #expect(run.sessionKeys.allSatisfy { $0.map(\.period) == [run.first, run.first] })
        run.deliver()
        run.send(until: 25)
        let periods = [run.late, run.late, run.late.next, run.late.next]
        #expect(run.sessionKeys.last?.map(\.period) == periods)
    }
}
