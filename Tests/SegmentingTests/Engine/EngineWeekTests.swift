import Codecs
import ContentProtection
import Foundation
import MediaCore
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// A week of faults in every run: the engine decides, and no rule is broken.
@Suite struct EngineWeekTests {
    /// Hours of each of the runs; with 12 they are a week together.
    private static let hours = ProcessInfo.processInfo.environment["ENGINE_HOURS"].flatMap { Int64($0) } ?? 1
    private static let batches = hours * 3_600

    private func handle(_ step: EngineRun.Step, _ engine: inout ChannelEngine) -> [ChannelEngine.Action] {
        engine.handle(step.event, at: ClockReading(utc: step.at, wallClock: step.at))
    }

    /// True if each run takes the horizon that it has not by default: two weeks show every seed at both horizons.
    private static let isTurned = ProcessInfo.processInfo.environment["ENGINE_OTHER_HORIZON"] != nil

    /// Every other run decides in parts.
    private static func horizon(_ seed: UInt64) -> CommitHorizon {
        seed.isMultiple(of: 2) != isTurned ? .slot : .part(duration: EngineRun.partDuration)
    }

    /// Returns the number of values that something holds, all the way down.
    private static func population(of value: Any) -> Int {
        Mirror(reflecting: value).children.reduce(1) { $0 + population(of: $1.value) }
    }

    /// Some of the runs have subtitles.
    private static func hasText(_ seed: UInt64) -> Bool { seed % 3 == 1 }

    /// Returns the policy of a run for late keys; one run has no keys.
    private static func lateKey(_ seed: UInt64) -> LateKey? {
        seed == 5 ? nil : LateKey.allCases[Int(seed) / 2 % LateKey.allCases.count]
    }

    /// Returns the classes of video that have keys of their own, in some runs, which have a ladder then.
    private static func keyClasses(_ seed: UInt64) -> KeyClasses {
        var generator = SeededGenerator(seed: seed)
        return KeyClasses(
            apart: seed < firstLadder ? [] : VideoClass.allCases.shuffled(using: &generator).prefix(Int(seed) % 4 + 1)
        )
    }

    private static let firstLadder: UInt64 = 7

    /// Each of the first with both clocks; ladders with what is done about late keys, and both horizons.
    private static let runs =
        (0..<firstLadder).flatMap { [(ClockSource.arrival, $0), (.pts, $0)] }
        + [(.arrival, 7), (.pts, 8), (.pts, 10), (.pts, 13)]

    @Test(arguments: runs.oneIn(3)) func randomFeedsBreakNoRule(clock: ClockSource, seed: UInt64) {
        let hasText = Self.hasText(seed)
        let keyClasses = Self.keyClasses(seed)
        var run = EngineRun(seed: seed, clock: clock, hasText: hasText, rungs: keyClasses.rungs)
        let horizon = Self.horizon(seed)
        var keySource = UnreliableKeySource(seed: seed)
        let lateKey = Self.lateKey(seed)
        let configuration = EngineRun.configuration(clock, horizon, lateKey: lateKey, keyClasses: keyClasses)
        var engine = ChannelEngine(configuration: configuration, longestRun: 20)
        // The same events once more give the same actions.
        var again = engine
        var audit = EngineAudit(configuration)
        var mostHeld = 0
        for step in run.opening {
            audit.observe(handle(step, &engine), at: step.at)
            _ = handle(step, &again)
        }
        for batch in 0..<Self.batches {
            let (inputs, channel) = run.next()
            for step in inputs.joined() + channel + keySource.due(at: EngineRun.start + EngineRun.batch * (batch + 1)) {
                audit.hear(step.event)
                let actions = handle(step, &engine)
                keySource.hear(actions, at: step.at)
                audit.observe(actions, at: step.at)
                guard batch < 900 else { continue }
                let others = handle(step, &again)
                guard !actions.isEmpty || !others.isEmpty else { continue }
                let (text, other) = (EngineAudit.text(of: actions), EngineAudit.text(of: others))
                if text != other { Issue.record("the same events gave \(text) and \(other)") }
            }
            if batch % 10_800 == 10_799 { mostHeld = max(mostHeld, Self.population(of: engine)) }
        }
        #expect(audit.violations.isEmpty, "\(audit.violations.joined(separator: "\n"))")
        #expect(Int64(audit.slots) >= Self.hours * 450 - 4, "every slot is published: \(audit.slots)")
        #expect(
            audit.switches > Self.hours,
            "inputs take turns: \(audit.switches), \(audit.gaps) gaps, \(audit.parts.count) parts, \(audit.parts.gaps) gaps"
        )
        #expect(audit.discontinuities > 0, "encodings change")
        if hasText {
            #expect(Int64(audit.subtitled) > Self.hours * 100, "there are subtitles: \(audit.subtitled)")
            #expect(Int64(audit.unsubtitled) > Self.hours * 100, "and slots without: \(audit.unsubtitled)")
        }
        // Timestamps that jump are not UTC.
        if clock == .pts {
            #expect(audit.splices > Self.hours * 25, "segments begin with splices: \(audit.splices)")
            #expect(audit.ranges.told.count > Self.hours * 20, "players are told of breaks: \(audit.ranges.told.count)")
            #expect(
                audit.ranges.punctual > Self.hours * 25,
                "with the segment before, to the sample: \(audit.ranges.punctual)"
            )
        }
        if horizon != .slot {
            #expect(audit.parts.count > Self.hours * 2_000, "slots are told in parts: \(audit.parts.count)")
            #expect(audit.parts.untold * 20 < audit.slots, "of few slots no parts were told: \(audit.parts.untold)")
            #expect(Int64(audit.parts.tagged) > Self.hours * 500, "parts carry tags: \(audit.parts.tagged)")
        }
        switch configuration.cryptoPeriods.map({ _ in configuration.lateKey }) {
        // Where parts are held, most slots need not be.
        case .hold: #expect((audit.held > 0 || horizon != .slot) && audit.withheld > 0, "keys are late")
        case .reuse: #expect(audit.reused > 0, "keys are late")
        case .gap, .fail: #expect(audit.withheld > 0, "keys are late")
        case nil: #expect(audit.held + audit.withheld + audit.reused == 0, "nothing is encrypted")
        }
        if !keyClasses.apart.isEmpty {
            #expect(audit.classes == Set(keyClasses.all), "every class is in use")
            if lateKey == .gap || lateKey == .fail { #expect(audit.partlyWithheld > 0, "one class lacks a key") }
        }
        #expect(mostHeld < 60_000, "what is held does not grow: \(mostHeld) values")
    }

    /// Two packagers hear the same of each input, each in its own time.
    ///
    /// There is no operator, who would hold an input on one of them alone.
    @Test(arguments: ([0, 1, 8, 2, 3] as [UInt64]).oneIn(2))
    func packagersAgreeWhicheverInputComesFirst(seed: UInt64) {
        let keyClasses = Self.keyClasses(seed)
        var run = EngineRun(
            seed: 100 + seed,
            clock: .pts,
            hasOperator: false,
            hasText: Self.hasText(seed),
            rungs: keyClasses.rungs
        )
        var generator = SeededGenerator(seed: seed)
        let configuration = EngineRun.configuration(
            .pts,
            Self.horizon(seed),
            lateKey: Self.lateKey(seed),
            keyClasses: keyClasses
        )
        var engines = [0, 1].map { _ in ChannelEngine(configuration: configuration, longestRun: 20) }
        var audits = [0, 1].map { _ in EngineAudit(configuration) }
        // What fills the slots does not depend on when which of them hears of keys.
        var keySources = [0, 1].map { UnreliableKeySource(seed: seed + $0) }
        for step in run.opening { for index in 0..<2 { _ = handle(step, &engines[index]) } }
        var difference: String?
        for batch in 0..<Self.batches where difference == nil {
            let (inputs, channel) = run.next()
            for index in 0..<2 {
                // The way to one machine takes longer than that to the other, and not always as much.
                let steps = inputs.flatMap { steps in
                    let delay = MediaTime(milliseconds: Int64.random(in: 0..<100, using: &generator))
                    return steps.map { EngineRun.Step(event: $0.event, at: $0.at + delay) }
                }
                let answers = keySources[index].due(at: EngineRun.start + EngineRun.batch * (batch + 1))
                for step in steps.sorted(by: { $0.at < $1.at }) + channel + answers {
                    let actions = handle(step, &engines[index])
                    audits[index].observe(actions, at: step.at)
                    keySources[index].hear(actions, at: step.at)
                }
            }
            let both = audits[0].published.keys.filter { audits[1].published[$0] != nil }
            let first = both.sorted().first { audits[0].published[$0] != audits[1].published[$0] }
            difference = first.map {
                "slot \($0): \(audits[0].published[$0] ?? "")\n\(audits[1].published[$0] ?? "")"
            }
        }
        #expect(difference == nil)
        // They tell the same, but for what the one holds back that the other has published.
        let told = audits.map(\.ranges.told)
        let both = told[0].keys.filter { told[1][$0] != nil }
        #expect(both.filter { told[0][$0]?.first != told[1][$0]?.first } == [])
        #expect(both.count > Self.hours * 20 && told.allSatisfy { $0.count - both.count <= 2 })
        #expect(Int64(audits[0].slots) >= Self.hours * 450 - 4)
        let decided = [0, 1].map { audits[$0].slots + engines[$0].heldSlots }
        #expect(abs(decided[0] - decided[1]) <= 1)
        for audit in audits { #expect(audit.violations.isEmpty, "\(audit.violations.joined(separator: "\n"))") }
    }

    /// One of two packagers is started anew every now and then: it continues from what the other publishes, and agrees; or
    /// from what it has published itself.
    @Test(arguments: ([0, 2, 1, 3] as [UInt64]).oneIn(2))
    func restartedPackagerAgreesWithItsPeer(seed: UInt64) {
        var run = EngineRun(seed: 200 + seed, clock: .pts, hasOperator: false)
        var generator = SeededGenerator(seed: seed)
        let configuration = EngineRun.configuration(.pts, Self.horizon(seed))
        var pair = EnginePair(configuration)
        pair.hear(run.opening)
        var (starts, compared, agrees) = (0, 0, true)
        var differences: [String] = []
        for batch in 1...Self.batches where differences.isEmpty {
            let (inputs, channel) = run.next()
            let now = EngineRun.start + EngineRun.batch * batch
            if Int.random(in: 0..<400, using: &generator) == 0, pair.audits[0].window.newest != nil {
                starts += 1
                // Who goes on from a journal alone has lost a slot that the other one has.
                agrees = Bool.random(using: &generator)
                pair.restart(joins: agrees, run.opening, at: now - EngineRun.batch)
            }
            pair.hear(inputs.joined().sorted(by: { $0.at < $1.at }) + channel)
            // What the other one lists is heard a while later, perhaps in the middle of a slot.
            if !pair.isJoining || Int.random(in: 0..<4, using: &generator) == 0 { pair.hearPeer(at: now) }
            guard agrees else { continue }
            let comparison = pair.compare(from: pair.firstOfAgreement(after: run.newestFault))
            compared += comparison.slots.count
            differences = comparison.differences
        }
        #expect(differences.isEmpty, "\(differences.first ?? "")")
        #expect(starts > Self.hours * 4)
        // At the part horizon more than half of the slots are too near to a fault.
        let least: Int64 = configuration.horizon == .slot ? 3_600 : 300
        #expect(Int64(compared) > Self.hours * least, "\(compared) were compared")
        #expect(pair.violations.isEmpty, "\(pair.violations.joined(separator: "\n"))")
    }
}

extension ChannelEngine {
    /// Slots that wait for keys.
    fileprivate var heldSlots: Int {
        outbox.waiting.reduce(0) { sum, waiting in
            if case .slots(let slots) = waiting.step { sum + slots.count } else { sum }
        }
    }
}

extension KeyClasses {
    /// Pictures of all classes beside the encoder's own, which is small; none if all have one key.
    fileprivate var rungs: [PictureFormat] {
        let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
        let rungs = [
            PictureFormat(width: 1920, height: 1080), PictureFormat(width: 3840, height: 2160),
            PictureFormat(width: 1280, height: 720, colour: colour),
        ]
        return apart.isEmpty ? [] : rungs
    }
}
