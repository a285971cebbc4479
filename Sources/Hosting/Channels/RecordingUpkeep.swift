import Dispatch
import Files
import MediaCore
import Recording

/// Removes slots of a recording beyond its limits, while its channel runs.
struct RecordingUpkeep: Sendable {
    private let recording: Recording
    private let clock: any UTCClock
    /// Waits for the next time.
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Removing files waits for the disk.
    private let queue = DispatchQueue(label: "recording.upkeep", qos: .utility)

    /// The time that data beyond a limit may remain: short against a block of a recording.
    private static let period = Duration.seconds(60)

    init(
        _ recording: Recording,
        _ clock: any UTCClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.recording, self.clock, self.sleep) = (recording, clock, sleep)
    }

    /// Returns once it is cancelled.
    func run() async {
        await queue.run { [recording] in recording.measure() }
        while (try? await sleep(Self.period)) != nil {
            await queue.run { [recording, clock] in recording.prune(now: clock.now) }
        }
    }
}
