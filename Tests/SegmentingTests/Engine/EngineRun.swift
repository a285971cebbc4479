import Codecs
import ContentProtection
import MediaCore
import TestSupport
import Timeline

@testable import Segmenting

/// A channel of an input and its backup through hours of faults, by chance and the same for the same seed.
struct EngineRun {
    static let grid = SegmentGrid(slotDuration: MediaTime(seconds: 8))
    /// The time that one batch of events covers.
    static let batch = MediaTime(seconds: 1)
    /// Two pictures, four frames of audio.
    static let partDuration = MediaTime(milliseconds: 1_600)
    static let start = MediaTime(seconds: 1_795_000_000)

    /// A fault of an input for a while.
    enum Fault: CaseIterable {
        case none, lost, silent, late, repeated, jumped, hurried, damaged, changed, videoLost, audioLost
    }

    /// An event with its time.
    struct Step {
        var event: ChannelEngine.Event
        var at: MediaTime
    }

    private var generator: SeededGenerator
    private var encoders: [EngineEncoder]
    private var faults: [(fault: Fault, until: MediaTime)]
    /// Packets that come later than they were made, by input.
    private var delayed: [[EngineEncoder.Packet]] = [[], []]
    private var now = Self.start
    /// The newest time at which an input had a fault, or had one until then.
    private(set) var newestFault = Self.start
    private let allowsJumps: Bool
    private let hasOperator: Bool

    init(
        seed: UInt64,
        clock: ClockSource,
        hasOperator: Bool = true,
        hasFaults: Bool = true,
        hasText: Bool = false,
        lag: Int64 = 0,
        rungs: [PictureFormat] = []
    ) {
        self.hasOperator = hasOperator
        generator = SeededGenerator(seed: seed)
        // What carries UTC does not jump.
        allowsJumps = clock == .arrival
        encoders = [
            EngineEncoder(.input(0), latency: MediaTime(milliseconds: 120), from: Self.start),
            EngineEncoder(.backup(0, inputCount: 1), latency: MediaTime(milliseconds: 300), from: Self.start),
        ]
        encoders[0].lag = lag
        for index in encoders.indices { (encoders[index].hasText, encoders[index].rungs) = (hasText, rungs) }
        let never = MediaTime(ticks: .max)
        faults = [
            (.none, hasFaults ? Self.start + MediaTime(seconds: 30) : never),
            (.none, hasFaults ? Self.start + MediaTime(seconds: 60) : never),
        ]
    }

    static func configuration(
        _ clock: ClockSource,
        _ horizon: CommitHorizon,
        lateKey: LateKey? = nil,
        keyClasses: KeyClasses = KeyClasses()
    ) -> ChannelEngine.Configuration {
        var configuration = ChannelEngine.Configuration(
            name: "live",
            grid: grid,
            clock: clock,
            cryptoPeriods: lateKey.map { _ in CryptoPeriods(slotsPerPeriod: 3) },
            keyClasses: keyClasses,
            lateKey: lateKey ?? .hold,
            inputCount: 1,
            backupCount: 1,
            isPaced: true,
            failback: MediaTime(seconds: 24),
            horizon: horizon
        )
        configuration.cueOutTags = .duration
        return configuration
    }

    /// The steps before any media.
    var opening: [Step] {
        encoders.map { Step(event: .added($0.input, .live), at: now) }
            + encoders.map { Step(event: .opened($0.input, $0.tracks), at: now) }
            + encoders.map {
                Step(event: .began($0.input, $0.tracks, timestampModulus: EngineEncoder.modulus), at: now)
            }
            + encoders.map { Step(event: .noticed($0.input, .metadata(program: nil)), at: now) }
    }

    /// Returns the steps of the next second: by input, and those that belong to none.
    mutating func next() -> (inputs: [[Step]], channel: [Step]) {
        now += Self.batch
        var inputs: [[Step]] = []
        for index in encoders.indices { inputs.append(steps(of: index)) }
        var channel: [Step] = []
        // Once in twenty minutes, an operator.
        switch hasOperator ? Int.random(in: 0..<2_400, using: &generator) : .max {
        case 0: channel.append(Step(event: .selected(encoders[0].input, holds: true), at: now))
        case 1: channel.append(Step(event: .selected(encoders[1].input, holds: false), at: now))
        case 2...5: channel.append(Step(event: .selectedAutomatically(), at: now))
        default: break
        }
        channel.append(Step(event: .timeAdvanced([]), at: now))
        return (inputs, channel)
    }

    private mutating func steps(of index: Int) -> [Step] {
        var steps: [Step] = []
        let id = encoders[index].input
        let before = faults[index].fault
        if now >= faults[index].until {
            steps += end(faults[index].fault, of: index)
            let next = faults[index].fault == .none ? Fault.allCases.randomElement(using: &generator) ?? .none : .none
            let length = next == .none ? 20_000...240_000 : 200...48_000 as ClosedRange<Int64>
            let milliseconds = Int64.random(in: length, using: &generator)
            faults[index] = (next, now + MediaTime(milliseconds: milliseconds))
            steps += begin(next, of: index)
        }
        if before != .none || faults[index].fault != .none { newestFault = now }
        var packets = encoders[index].packets(until: now - encoders[index].latency)
        switch faults[index].fault {
        case .lost, .silent: packets = []
        case .late:
            delayed[index] += packets
            packets = []
        case .repeated: packets += packets
        case .damaged:
            for place in packets.indices where Bool.random(using: &generator) {
                packets[place].packet.content = .unreadable(isSync: false, unsupported: nil)
            }
        case .none, .jumped, .hurried, .changed, .videoLost, .audioLost: break
        }
        // What was late comes all at once.
        if faults[index].fault != .late, !delayed[index].isEmpty {
            packets = delayed[index] + packets
            delayed[index] = []
        }
        for packet in packets {
            let arrival = max(packet.arrival, now - Self.batch)
            for splice in packet.splices { steps.append(Step(event: .splice(id, splice), at: arrival)) }
            for tag in packet.tags {
                steps.append(Step(event: .metadata(id, timestamp: tag.timestamp, tag.bytes), at: arrival))
            }
            steps.append(Step(event: .packet(id, packet.packet), at: arrival))
        }
        return steps
    }

    private mutating func begin(_ fault: Fault, of index: Int) -> [Step] {
        let id = encoders[index].input
        switch fault {
        case .lost: return [Step(event: .lost(id, reason: "end of file"), at: now)]
        case .jumped where allowsJumps:
            encoders[index].offset += Int64.random(in: 0..<EngineEncoder.modulus, using: &generator)
        case .hurried where allowsJumps:
            encoders[index].offset += Int64.random(in: 0...90_000, using: &generator)
        case .changed:
            encoders[index].variant = 1 - encoders[index].variant
            // Other sizes, which are of other classes.
            encoders[index].rungs.shuffle(using: &generator)
        case .videoLost:
            encoders[index].hasVideo = false
            return [Step(event: .opened(id, encoders[index].tracks), at: now), begun(index)]
        case .audioLost:
            encoders[index].hasAudio = false
            return [Step(event: .opened(id, encoders[index].tracks), at: now), begun(index)]
        default: break
        }
        return []
    }

    private mutating func end(_ fault: Fault, of index: Int) -> [Step] {
        switch fault {
        case .lost, .videoLost, .audioLost:
            (encoders[index].hasVideo, encoders[index].hasAudio) = (true, true)
            return [Step(event: .opened(encoders[index].input, encoders[index].tracks), at: now), begun(index)]
        default: return []
        }
    }

    private func begun(_ index: Int) -> Step {
        let encoder = encoders[index]
        let modulus = EngineEncoder.modulus
        return Step(event: .began(encoder.input, encoder.tracks, timestampModulus: modulus), at: now)
    }
}
