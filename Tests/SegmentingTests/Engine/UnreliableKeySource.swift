import ContentProtection
import MediaCore
import Playlists
import TestSupport

@testable import Segmenting

/// A key source that mostly answers at once, and now and then late, with an error, or never.
struct UnreliableKeySource {
    private var generator: SeededGenerator
    private var answers: [EngineRun.Step] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func hear(_ actions: [ChannelEngine.Action], at now: MediaTime) {
        for action in actions {
            guard case .requestKeys(let request) = action else { continue }
            for keyClass in request.classes { answer(keyClass, request.period, at: now) }
        }
    }

    private mutating func answer(_ keyClass: KeyClass, _ period: CryptoPeriod, at now: MediaTime) {
        let arrived = ChannelEngine.Event.keysArrived(period, [keyClass: [.made(for: keyClass, period)]])
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: break
        case 1...5:
            let delay = MediaTime(milliseconds: .random(in: 0..<120_000, using: &generator))
            answers.append(EngineRun.Step(event: arrived, at: now + delay))
        case 6...9:
            let delay = MediaTime(milliseconds: .random(in: 0..<30_000, using: &generator))
            let failed = ChannelEngine.Event.keysFailed(period, reason: "no licence")
            answers.append(EngineRun.Step(event: failed, at: now + delay))
        default: answers.append(EngineRun.Step(event: arrived, at: now))
        }
    }

    /// Returns the answers that are due by then.
    mutating func due(at now: MediaTime) -> [EngineRun.Step] {
        defer { answers.removeAll { $0.at <= now } }
        return answers.filter { $0.at <= now }.map { EngineRun.Step(event: $0.event, at: now) }
    }
}

extension KeyReference {
    /// Makes the reference to a key of tests, which shows class and period.
    static func made(for keyClass: KeyClass, _ period: CryptoPeriod) -> KeyReference {
        let high = UInt64((KeyClass.allCases.firstIndex(of: keyClass) ?? 0) + 1)
        let bytes = Bytes16(high: high, low: UInt64(bitPattern: period.index))
        return KeyReference(keyID: KeyID(bytes), constantIV: bytes, uri: "keys/\(keyClass)-\(period)")
    }

    /// The crypto period of a key that tests have made.
    var period: CryptoPeriod { CryptoPeriod(Int64(bitPattern: keyID.bytes.low)) }

    /// The class of a key that tests have made.
    var keyClass: KeyClass { KeyClass.allCases[Int(keyID.bytes.high) - 1] }
}
