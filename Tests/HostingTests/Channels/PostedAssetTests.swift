import Assets
import Control
import MediaCore
import Operations
import Recording
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// Finished recordings as the control API posts and removes them.
@Suite(.timeLimit(.minutes(5))) struct PostedAssetTests {
    private enum Caller {
        /// True in a task that a test has begun, and nowhere else.
        @TaskLocal static var isTask = false
    }

    /// The threads of tasks are few: a disk that stands still would keep all channels from going on.
    @Test func aRequestWaitsForTheDiskOnAThreadOfItsOwn() async throws {
        let directory = try TemporaryDirectory()
        let slot = MediaTime(seconds: 4)
        let recording = try Recording.open(
            directory.file("recording"),
            identity: ["name": "live"],
            segmentDuration: slot,
            onEvent: { _ in }
        )
        defer { recording.close() }
        let isInTask = Mutex<Bool?>(nil)
        let library = AssetLibrary(
            directory: directory.file("recordings"),
            channel: "live",
            recording: recording,
            slot: slot,
            keys: { _ in RecalledKeys([:]) },
            random: {
                isInTask.withLock { $0 = Caller.isTask }
                return 1
            }
        )
        let assets: any OperatedAssets = PushedAssets(library: library, pushes: [])
        let request = Self.request(60)
        let id = try await Caller.$isTask.withValue(true) { try await assets.add(request, now: Self.now).id }
        #expect(isInTask.withLock { $0 } == false)
        #expect(assets.records.map(\.id) == [id])
        #expect(try await assets.remove(id) == true)
        #expect(assets.records.isEmpty)
        #expect(try await assets.remove(id) == false)
        await #expect(throws: AssetRefusal.self) { try await assets.add(Self.request(0), now: Self.now) }
    }

    private static let now = MediaTime(seconds: 1_800_000_000)

    /// A request for the time from now on.
    private static func request(_ seconds: Int64) -> AssetRequest {
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(now), Timestamp(now + MediaTime(seconds: seconds)))
        return request
    }
}
