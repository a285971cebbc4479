import Assets
import Dispatch
import MediaCore
import ObjectStores

/// Makes, sends and removes the finished assets of a channel, while the channel runs.
struct AssetUpkeep: Sendable {
    private let library: AssetLibrary
    private let pushes: [RecordingPush]
    private let clock: any UTCClock
    private let note: @Sendable (AssetEvent) -> Void
    /// Waits for the next time.
    private let sleep: @Sendable (Duration) async throws -> Void
    private let executor = DiskExecutor()

    private static let period = Duration.seconds(1)

    init(
        _ library: AssetLibrary,
        _ clock: any UTCClock,
        pushes: [RecordingPush] = [],
        note: @escaping @Sendable (AssetEvent) -> Void,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.library, self.clock, self.pushes, self.note, self.sleep) = (library, clock, pushes, note, sleep)
    }

    /// Returns once it is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            // Making one may take minutes, in which others are sent and removed.
            group.addTask { await offerReadyRecordings() }
            while (try? await sleep(Self.period)) != nil {
                while !Task.isCancelled, let event = await work() {
                    note(event)
                    if event.isFailure { break }
                }
            }
            group.cancelAll()
        }
    }

    private func offerReadyRecordings() async {
        if pushes.isEmpty { return }
        while (try? await sleep(Self.period)) != nil {
            let ready = library.readyIDs
            for push in pushes { push.take(ready) { [library] in library.isGone($0) } }
        }
    }

    private func work() async -> AssetEvent? {
        await withTaskExecutorPreference(executor) { await library.work(now: clock.now) }
    }
}

/// A thread that may wait for the disk.
private final class DiskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "assets", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
