import MediaCore
import Operations
import Synchronization

@testable import Control

/// Assets that are posted, and never made; one of its name is ready.
final class StubAssets: OperatedAssets {
    private let state = Mutex([AssetRecord]())

    init() {
        var ready = AssetRecord(id: "known", request: AssetRequest(), posted: Fixture.now)
        (ready.state, ready.duration, ready.byteCount) = (.ready, 90, 1_000_000)
        (ready.start, ready.end) = (Timestamp(Fixture.now), Timestamp(Fixture.now + MediaTime(seconds: 90)))
        (ready.expires, ready.path) = (Timestamp(Fixture.now), "/live/recordings/known/index.m3u8")
        ready.keyIDs = ["video": "00112233445566778899aabbccddeeff"]
        var there = AssetRecord.Destination(url: "s3://media/live")
        (there.state, there.objects, there.stored, there.problem) = (.running, 300, 100, "no complete answer in time")
        ready.pushed = [there, AssetRecord.Destination(url: "https://cdn.example.com/live")]
        state.withLock { [ready] in $0.append(ready) }
    }

    var records: [AssetRecord] { state.withLock(\.self) }

    func record(_ id: String) -> AssetRecord? { records.first { $0.id == id } }

    func add(_ request: AssetRequest, now: MediaTime) throws(AssetRefusal) -> AssetRecord {
        if request.title == "many" { throw .tooMany(1000) }
        if request.title == "clear", request.keys == .new { throw .notEncrypted }
        guard request.programme != nil || request.from != nil && request.to != nil else { throw .incomplete }
        if let to = request.to?.time, to < now - MediaTime(seconds: 3600) { throw .outside(recorded: "nothing") }
        let record = AssetRecord(id: "new", request: request, posted: now)
        state.withLock { $0.append(record) }
        return record
    }

    func remove(_ id: String) throws(AssetRefusal) -> Bool {
        state.withLock { records in
            guard let index = records.firstIndex(where: { $0.id == id }) else { return false }
            records.remove(at: index)
            return true
        }
    }
}
