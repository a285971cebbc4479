import Foundation

/// SplitMix64: the same numbers in every run, or others in each that `TEST_SEED` names.
///
/// A test that fails with a `TEST_SEED` fails again with it.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The number that is added to every seed; 0 unless the environment says otherwise.
    private static let runSeed: UInt64 = {
        guard let seed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap({ UInt64($0) }) else { return 0 }
        // Beside the failures in a log that is read later.
        print("Random numbers are those of TEST_SEED=\(seed).")
        return seed
    }()

    package init(seed: UInt64) {
        state = seed &+ Self.runSeed &* 0x9E37_79B9_7F4A_7C15
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
