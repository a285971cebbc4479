import Assets
import Control
import Dispatch
import Files
import MediaCore
import ObjectStores
import Operations

/// The finished assets of a channel, with their states at its destinations.
struct PushedAssets: OperatedAssets {
    private let library: AssetLibrary
    private let pushes: [Push]
    /// Waits for the disk of the recording, which may stand still.
    private let disk = DispatchQueue(label: "assets.posted", qos: .userInitiated)

    init(library: AssetLibrary, pushes: [Push]) { (self.library, self.pushes) = (library, pushes) }

    var records: [AssetRecord] { library.records.map(withDestinations) }

    func record(_ id: String) -> AssetRecord? { library.record(id).map(withDestinations) }

    func add(_ request: AssetRequest, now: MediaTime) async throws(AssetRefusal) -> AssetRecord {
        let result = await disk.run { [library] in
            Result { () throws(AssetRefusal) in try library.add(request, now: now) }
        }
        return withDestinations(try result.get())
    }

    func remove(_ id: String) async throws(AssetRefusal) -> Bool {
        let result = await disk.run { [library] in Result { () throws(AssetRefusal) in try library.remove(id) } }
        return try result.get()
    }

    private func withDestinations(_ record: AssetRecord) -> AssetRecord {
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
