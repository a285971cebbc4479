import Assets
import Control
import MediaCore
import ObjectStores
import Operations

/// The finished assets of a channel, with what its destinations have of them.
struct PushedAssets: OperatedAssets {
    let library: AssetLibrary
    let pushes: [Push]

    var records: [AssetRecord] { library.records.map(told) }

    func record(_ id: String) -> AssetRecord? { library.record(id).map(told) }

    func add(_ request: AssetRequest, now: MediaTime) throws(AssetRefusal) -> AssetRecord {
        told(try library.add(request, now: now))
    }

    func remove(_ id: String) throws(AssetRefusal) -> Bool { try library.remove(id) }

    private func told(_ record: AssetRecord) -> AssetRecord {
        // Failed assets are not sent.
        if record.state == .failed { return record }
        let destinations = pushes.compactMap { push in
            push.recordings.map { AssetRecord.Destination(url: push.destination, $0.state(of: record.id)) }
        }
        if destinations.isEmpty { return record }
        var record = record
        record.pushed = destinations
        return record
    }
}

extension AssetRecord.Destination {
    fileprivate init(url: String, _ state: PushedRecording) {
        self.init(url: url)
        switch state {
        case .pending: break
        case .running(let stored, let objects, let problem):
            (self.state, self.stored, self.objects, self.problem) = (.running, stored, objects, problem)
        case .done(let objects): (self.state, stored, self.objects) = (.done, objects, objects)
        case .failed(let reason): (self.state, problem) = (.failed, reason)
        }
    }
}
