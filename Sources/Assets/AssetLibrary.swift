import Files
import Foundation
import Glibc
package import MediaCore
import NIOCore
package import Operations
package import Playlists
import Synchronization

/// The finished assets of a channel: a directory each, with all files for viewers.
///
/// All state is on the disk: a later process finds waiting assets, and makes them.
package final class AssetLibrary: Sendable {
    let directory: String
    private let channel: String
    let recording: any RecordedChannel
    private let maker: AssetMaker
    private let schedule: AssetSchedule
    private let random: @Sendable () -> UInt128
    let time: @Sendable () -> MediaTime
    let fileSystem = LocalFileSystem.confidential
    let newKeys: AssetKeys
    let channelKeys = ChannelKeyIndex()
    /// Returns once the files of a directory withstand a power cut.
    private let synchronize: @Sendable (String) throws -> Void
    private let state: Mutex<State>
    private let slot: MediaTime

    private struct State {
        var records: [String: AssetRecord] = [:]
        /// The assets that are gone, and whose files go with the next step.
        var doomed: Set<String> = []
        /// The times before which assets are not removed again that could not be.
        var pauses: [String: MediaTime] = [:]
        /// The searches for programmes whose ends are not known.
        var searches: [String: ProgrammeSearch] = [:]
    }

    static let recordFile = "asset.json"
    /// The IDs of the channel's keys that an asset needs.
    static let keysFile = "keys.json"
    /// The files of an asset that viewers do not get.
    static let ownFiles: Set = [recordFile, keysFile]

    /// Opens the assets of a channel.
    ///
    /// Records that cannot be read are left out: the channel is live without them.
    ///
    /// - Parameters:
    ///   - directory: The directory that has them; it need not be there yet.
    ///   - channel: The channel's name.
    ///   - recording: The recording that they are made of.
    ///   - slot: The duration of a slot.
    ///   - schedule: Decides when they are made.
    ///   - keyAddresses: The form in which the channel's playlists write the addresses of keys.
    ///   - keys: Returns the keys of slots; needed for MP4 and for new keys alone.
    ///   - newKeys: The keys of assets that have keys of their own.
    ///   - thumbnail: Makes pictures for viewers; nil if there shall be none.
    ///   - random: Returns the random number of an ID.
    ///   - time: Returns UTC, by which viewers have an asset no more once it has expired.
    ///   - synchronize: Returns once the files of a directory withstand a power cut.
    ///   - note: Notes records that are left out.
    package init(
        directory: String,
        channel: String,
        recording: any RecordedChannel,
        slot: MediaTime,
        schedule: AssetSchedule = AssetSchedule(),
        keyAddresses: KeyAddresses = KeyAddresses(),
        keys: @escaping AssetMaker.Keys,
        newKeys: AssetKeys = AssetKeys(refusal: .notEncrypted),
        thumbnail: AssetMaker.Thumbnails? = nil,
        random: @escaping @Sendable () -> UInt128 = { .random(in: 0 ... .max) },
        time: @escaping @Sendable () -> MediaTime = { .zero },
        synchronize: @escaping @Sendable (String) throws -> Void = { directory in
            try LocalFileSystem.confidential.synchronizeDisk(of: directory)
        },
        note: (AssetEvent) -> Void = { _ in }
    ) {
        (self.directory, self.channel, self.recording, self.schedule) = (directory, channel, recording, schedule)
        (self.slot, self.random, self.time, self.newKeys) = (slot, random, time, newKeys)
        self.synchronize = synchronize
        maker = AssetMaker(recording, slot: slot, keyAddresses: keyAddresses, keys: keys, thumbnail: thumbnail)
        var state = State()
        state.records = fileSystem.assetRecords(in: directory, most: 2 * schedule.mostAssets, note: note)
        for record in state.records.values { newKeys.open(record) }
        self.state = Mutex(state)
        for record in state.records.values where record.state == .ready { openChannelKeys(of: record.id) }
    }

    /// All assets, the newest first.
    package var records: [AssetRecord] {
        state.withLock { $0.records.values.sorted { ($1.posted.time, $1.id) < ($0.posted.time, $0.id) } }
    }

    package func record(_ id: String) -> AssetRecord? { state.withLock { $0.records[id] } }

    /// The time that is recorded; nil if nothing is.
    private var recorded: Range<MediaTime>? {
        recording.extent.map { slot * $0.lowerBound.value..<slot * $0.upperBound.value }
    }

    /// Takes an asset on; it is made by ``work(now:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: UTC.
    /// - Returns: The asset as it is to be.
    /// - Throws: ``AssetRefusal``.
    package func add(_ request: AssetRequest, now: MediaTime) throws(AssetRefusal) -> AssetRecord {
        if request.keys == .new, let refusal = newKeys.refusal { throw refusal }
        let recorded = recorded
        let record = try state.withLock { state throws(AssetRefusal) in
            try schedule.check(request, among: Array(state.records.values), recorded: recorded, now: now)
            let record = AssetRecord(id: newID(now), request: request, posted: now)
            state.records[record.id] = record
            return record
        }
        do {
            try save(record, in: path(of: record.id))
            // An accepted request must survive a power cut.
            try synchronize(path(of: record.id))
        } catch {
            state.withLock { $0.records[record.id] = nil }
            fileSystem.removeAsset(path(of: record.id))
            throw .unkept("\(error)")
        }
        return record
    }

    /// Makes an ID that cannot be guessed, because a clip is not encrypted.
    private func newID(_ now: MediaTime) -> String {
        let digits = String(random(), radix: 16)
        return "\(now.basicISO8601)-\(String(repeating: "0", count: 32 - digits.count))\(digits)"
    }

    /// Removes an asset, or cancels a request for one.
    ///
    /// - Returns: False if there is none.
    /// - Throws: ``AssetRefusal`` if its files cannot be removed.
    package func remove(_ id: String) throws(AssetRefusal) -> Bool {
        guard let record = state.withLock({ $0.records.removeValue(forKey: id) }) else { return false }
        // A renamed directory is gone for a later process, too; removing all its files may take long.
        guard rename(path(of: id), path(of: id) + LocalFileSystem.temporarySuffix) == 0 || errno == ENOENT else {
            let reason = String(cString: strerror(errno))
            state.withLock { $0.records[id] = record }
            throw .unreadable("the files of \(id) cannot be removed: \(reason)")
        }
        state.withLock { _ = $0.doomed.insert(id) }
        newKeys.close(id)
        channelKeys.close(id)
        return true
    }

    /// Removes the files of assets that are gone.
    private func sweep() {
        let doomed = state.withLock { state in
            defer { state.doomed = [] }
            return state.doomed
        }
        for id in doomed { fileSystem.removeAsset(path(of: id) + LocalFileSystem.temporarySuffix) }
    }

    /// Takes the next step: removes an expired asset, or makes one whose end is recorded.
    ///
    /// It waits for the disk as long as copying takes.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The event; nil if there was nothing to do.
    package func work(now: MediaTime) async -> AssetEvent? {
        defer { sweep() }
        let ends = search(now: now)
        let records = state.withLock { state in
            state.pauses = state.pauses.filter { $0.value > now && state.records[$0.key] != nil }
            return state.records.values.filter { state.pauses[$0.id] == nil }
        }
        switch schedule.next(among: records, ends: ends, recorded: recorded, now: now) {
        case .remove(let id)?:
            do throws(AssetRefusal) {
                _ = try remove(id)
                return .expired(id: id)
            } catch {
                state.withLock { $0.pauses[id] = now + schedule.removalPause }
                return .notRemoved(id: id, reason: error.description)
            }
        case .make(let id)?: return await make(id, now: now)
        case nil: return nil
        }
    }

    /// Looks for the programmes that assets wait for, in the slots that have come.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The ends that are known.
    private func search(now: MediaTime) -> [String: MediaTime] {
        guard let extent = recording.extent else { return [:] }
        var (records, searches) = state.withLock { ($0.records, $0.searches) }
        records = records.filter { $1.state == .waiting && $1.request.programme != nil }
        searches = searches.filter { records[$0.key] != nil }
        for (id, record) in records {
            guard let choice = record.request.programme else { continue }
            let first = record.posted.time - schedule.longest
            var search = searches[id] ?? ProgrammeSearch(choice, posted: record.posted.time, from: first, slot: slot)
            search.look(through: extent, now: now) { try recording.recordedSlots(in: $0) }
            searches[id] = search
        }
        state.withLock { $0.searches = searches }
        return searches.compactMapValues(\.end)
    }

    private func make(_ id: String, now: MediaTime) async -> AssetEvent? {
        guard var record = record(id) else { return nil }
        let (search, folder) = (state.withLock { $0.searches[id] }, path(of: id))
        let programme = search.flatMap { search in search.found.map { (start: $0.start, end: search.end) } }
        var made: AssetMaker.Made?
        do {
            // Viewers can load the asset only once its record says that it is ready.
            fileSystem.clearAsset(folder)
            let own = try await ownKeys(of: record)
            let asset = try await maker.make(
                record.request,
                programme: programme,
                newKeys: own,
                isWanted: { [self] in self.record(id) != nil },
                in: folder
            )
            try save(asset.keys, in: folder)
            // A later process assumes that its files are complete.
            try synchronize(folder)
            // A record would bring back an asset that was removed meanwhile.
            guard self.record(id) != nil, !Task.isCancelled else { throw CancellationError() }
            record.keyIDs = own.map(Self.keyIDs)
            let ready = finished(record, asset, now: now)
            try save(ready, in: folder)
            try fileSystem.synchronize("\(folder)/\(Self.recordFile)")
            (record, made) = (ready, asset)
        } catch {
            newKeys.close(id)
            let isThere = self.record(id) != nil
            // A later process or channel makes it, and may have begun: the files may be its own.
            if Task.isCancelled, isThere { return nil }
            fileSystem.clearAsset(folder)
            (record.state, record.problem, record.keyIDs) = (.failed, "\(error)", nil)
            record.expires = Timestamp(now + schedule.failureKept)
            if isThere { try? save(record, in: folder) }
        }
        let isWanted = state.withLock { state in
            state.searches[id] = nil
            guard state.records[id] != nil else { return false }
            state.records[id] = record
            newKeys.open(record)
            if let made { channelKeys.open(id, made.keys) }
            return true
        }
        guard isWanted else {
            newKeys.close(id)
            fileSystem.removeAsset(folder)
            return nil
        }
        return record.problem.map { .failed(id: id, reason: $0) } ?? .made(id: id, path: record.path ?? "")
    }

    /// Returns the record of an asset once it is made.
    private func finished(_ record: AssetRecord, _ made: AssetMaker.Made, now: MediaTime) -> AssetRecord {
        var record = record
        record.state = .ready
        (record.start, record.end) = (Timestamp(made.extent.lowerBound), Timestamp(made.extent.upperBound))
        (record.duration, record.byteCount) = (Double(made.duration.milliseconds) / 1000, made.byteCount)
        record.path = "/\(channel)/recordings/\(record.id)/\(made.file)"
        record.expires = record.request.keepFor.map { Timestamp(now + MediaTime(seconds: Int64($0))) }
        return record
    }

    private func save(_ record: AssetRecord, in folder: String) throws(FileError) {
        guard let json = try? JSONEncoder.readable.encode(record) else { return }
        try fileSystem.replace("\(folder)/\(Self.recordFile)", ByteBuffer(bytes: json))
    }

    func path(of id: String) -> String { "\(directory)/\(id)" }
}
