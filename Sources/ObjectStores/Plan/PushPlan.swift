import MediaCore
import NIOCore
import Playlists
import Presentation

/// Decides when objects are sent to a destination and deleted there, so that no playlist there ever names a missing
/// object.
///
/// Initialization sections and segments come first. Each playlist follows once the store has all that it names, and the
/// multivariant playlists come last. An object is deleted once no playlist names it. Any number of actions may be under
/// way, one for each path.
struct PushPlan: Sendable {
    typealias Instant = ContinuousClock.Instant

    let expiry: PushExpiry
    var pace: PushPace
    /// The files that the origin serves, and others that wait to be sent.
    var files: [String: File] = [:]
    /// The files that wait to be sent or are under way.
    var pending: Set<String> = []
    /// The files of each rendition that the origin serves and the store lacks.
    var missing: [RenditionID: Set<String>] = [:]
    var queue = CircularBuffer<String>()
    /// The files that the origin no longer serves; they are sent after those for viewers.
    var late = CircularBuffer<String>()
    /// The playlists of an earlier process that were not read yet.
    var unread: Set<String> = []
    /// The times until which refused objects are not sent again.
    var deferred: [String: Instant] = [:]
    /// The files that the origin no longer serves, and that may be in the store.
    var expired: [String: Expired] = [:]
    /// The expired files that the store has refused to delete.
    var refused: [String: SavedWindow.File] = [:]
    /// The segments of an earlier process that are still to be deleted; nil if there are none.
    var leftovers: PushLeftovers?
    /// Decides when objects are deleted.
    var deletions: PushDeletions
    /// Decides when files are sent.
    var uploads: UploadRate
    /// The newest playlists; nil before there are any.
    var playlists: [String: PlaylistsPublication.Playlist]?
    /// The playlists in the store.
    var stored: [String: StoredPlaylist] = [:]
    var underWay: [String: Instant] = [:]
    /// The failures, one after the other, that do not pass by themselves and are of no single object.
    var operatorFailures = OperatorFailures()
    /// The time at which the store has last taken, or given, something; nil before.
    var answeredAt: Instant?
    /// The number of times that the store has refused objects that are given up in the end.
    var refusals: [String: Int] = [:]
    /// The playlists that the store refuses, and that are not sent any more.
    var abandoned: Set<String> = []
    /// The number of times that a refused object is sent; nil for as long as it is served.
    let mostRefusals: Int?
    /// The time at which the newest slots were published.
    var publishedAt: [MediaSequenceNumber: Instant] = [:]
    private(set) var newest: MediaSequenceNumber?
    /// The bytes of the backlog on disk, and its files that are no longer needed.
    private(set) var backlogBytes = 0
    private var released: [String] = []
    var totals = PushStatus.Totals()
    /// Files beside the playlists that never change.
    private let constants: [String: PlaylistsPublication.Playlist]
    private let leftoverSlots: Int

    /// The number of slots whose publication times are kept.
    private static let mostRememberedSlots = 256
    /// The time after which an object is sent again that the store does not take.
    static let objectPause = Duration.seconds(10)

    /// - Parameters:
    ///   - expiry: The rule for removing objects from the store.
    ///   - lanes: The most actions under way.
    ///   - rate: The most bits that are sent in a second, on average; nil for no limit.
    ///   - constants: Texts that never change, by path, in addition to what is published.
    ///   - mostRefusals: The number of times that a refused object is sent; nil for as long as it is served.
    ///   - leftoverSlots: The most slots that an earlier process may have left in the store, before those that this one
    ///     knows.
    init(
        expiry: PushExpiry,
        lanes: Int,
        rate: Int? = nil,
        constants: [String: String] = [:],
        mostRefusals: Int? = nil,
        leftoverSlots: Int = 0
    ) {
        (self.mostRefusals, self.leftoverSlots) = (mostRefusals, leftoverSlots)
        (self.expiry, uploads) = (expiry, UploadRate(bitsPerSecond: rate))
        (pace, deletions) = (PushPace(maximum: lanes), PushDeletions(lanes: lanes))
        self.constants = constants.mapValues { PlaylistsPublication.Playlist(text: $0, names: .playlists([])) }
    }

    // MARK: What the origin serves

    mutating func take(_ publication: Publication, at now: Instant) {
        switch publication {
        case .window(let snapshot):
            if newest == nil, expiry == .delete { leftovers = PushLeftovers(before: snapshot, count: leftoverSlots) }
            let files = snapshot.files
            let paths = Set(files.map(\.path))
            for (path, file) in self.files where file.isServed && !paths.contains(path) { expire(path) }
            take(files, at: now, isUnknown: true)
            let unknown = files.filter { self.files[$0.path]?.isUnknown ?? false }
            unread.formUnion(unknown.map { "\($0.rendition.name).m3u8" })
            if let playlists = snapshot.playlists { take(playlists) }
            if let oldest = snapshot.oldestServed { leftovers?.expired(through: oldest.previous) }
        case .slots(let slots):
            take(slots.files, at: now, isUnknown: false)
            for slot in slots.slots { publishedAt[slot.number] = now }
            if publishedAt.count > Self.mostRememberedSlots, let newest {
                publishedAt = publishedAt.filter { newest.value - $0.key.value < Int64(Self.mostRememberedSlots) }
            }
        case .playlists(let newest): take(newest)
        case .expired(let expired):
            for path in expired.paths { expire(path) }
            if let newest = expired.slots.last { leftovers?.expired(through: newest) }
        default: break
        }
    }

    private mutating func take(_ newest: PlaylistsPublication) {
        playlists = newest.playlists.merging(constants) { own, _ in own }
    }

    private mutating func take(_ files: [SavedWindow.File], at now: Instant, isUnknown: Bool) {
        for file in files {
            newest = max(newest ?? file.lastNumber, file.lastNumber)
            if let known = self.files[file.path] {
                self.files[file.path]?.info.lastNumber = max(known.info.lastNumber, file.lastNumber)
                guard !known.isServed else { continue }
                self.files[file.path]?.isServed = true
                if pending.contains(file.path) { missing[file.rendition, default: []].insert(file.path) }
                continue
            }
            let before = recall(file.path)
            self.files[file.path] = File(info: file, since: now, isUnknown: isUnknown)
            // A playlist in the store may still name it for slots of that time.
            if let before {
                self.files[file.path]?.info.firstNumber = min(before.info.firstNumber, file.firstNumber)
            }
            // Objects that are being deleted, or may have been, have to be sent again.
            if before?.isThere == true { continue }
            missing[file.rendition, default: []].insert(file.path)
            pending.insert(file.path)
            queue.append(file.path)
        }
        guard queue.count > 2 * self.files.count else { return }
        // While the store is away, nothing removes objects that are no longer to be sent.
        var left = pending
        queue.removeAll { left.remove($0) == nil }
    }

    private mutating func expire(_ path: String) {
        guard let file = files[path] else { return }
        let isMissing = missing[file.info.rendition]?.remove(path) != nil
        files[path]?.isServed = false
        if !pending.contains(path) {
            files[path] = nil
            if !isMissing { withdraw(file.info, isThere: true) }
        } else if underWay[path] == nil, expiry == .delete || file.keptBytes == nil {
            drop(path)
        }
    }

    /// Drops an object that waits to be sent.
    mutating func drop(_ path: String) {
        guard let file = files[path] else { return }
        if expiry == .keep { totals.lost += 1 }
        pending.remove(path)
        (deferred[path], refusals[path]) = (nil, nil)
        release(path)
        if file.isUnknown || file.isDoubtful { withdraw(file.info, isThere: false) }
        if !file.isServed { files[path] = nil }
    }

    // MARK: The backlog

    /// Notes that the bytes of a file are in the backlog on disk.
    mutating func keep(_ path: String, byteCount: Int) {
        // The file may have been sent meanwhile.
        guard pending.contains(path) else { return released.append(path) }
        files[path]?.keptBytes = byteCount
        backlogBytes += byteCount
    }

    /// Removes a file from the backlog on disk.
    mutating func release(_ path: String) {
        guard let byteCount = files[path]?.keptBytes else { return }
        files[path]?.keptBytes = nil
        backlogBytes -= byteCount
        released.append(path)
    }

    /// Returns the files of the backlog that are no longer needed, each once.
    mutating func takeReleased() -> [String] {
        defer { released = [] }
        return released
    }

    // MARK: Actions

    /// Returns the actions to begin now, beside those under way and the requests for recordings.
    mutating func actions(at now: Instant, beside others: Int = 0) -> [Action] {
        for (path, time) in deferred where time <= now {
            deferred[path] = nil
            if pending.contains(path) { queue.append(path) }
        }
        var actions: [Action] = []
        while underWay.count < lanes(at: now, beside: others), let action = nextAction(now) {
            underWay[action.path] = now
            countUpload(of: action, at: now)
            actions.append(action)
        }
        return actions
    }

    private mutating func nextAction(_ now: Instant) -> Action? {
        if let path = unread.first(where: isFree) { return .read(path: path) }
        // The contents of the store are known once they have been read.
        if !unread.isEmpty { return nil }
        // Viewers wait for playlists; they are small, too.
        if let path = outdated.first(where: { isFree($0) && isComplete($0) }),
            let playlist = playlists?[path]
        {
            stored[path, default: StoredPlaylist()].begin(playlist.names)
            return .put(path: path, .playlist(playlist))
        }
        while uploads.mayBegin(at: now), let path = queue.popFirst() {
            guard let file = files[path], pending.contains(path) else { continue }
            guard file.isServed else {
                late.append(path)
                continue
            }
            // The file comes again when its request under way is done.
            if underWay[path] == nil { return file.isUnknown ? .find(path: path) : .put(path: path, .file) }
        }
        if let deletion = nextDeletion(now) { return deletion }
        while uploads.mayBegin(at: now), let path = late.popFirst() {
            guard let file = files[path], pending.contains(path), underWay[path] == nil else { continue }
            return file.isUnknown ? .find(path: path) : .put(path: path, .file)
        }
        return nil
    }

    mutating func putBack(_ path: String) {
        guard pending.contains(path) else { return }
        if files[path]?.isServed == false { late.prepend(path) } else { queue.prepend(path) }
    }

    /// Returns true if no request for the path is under way or postponed.
    func isFree(_ path: String) -> Bool { underWay[path] == nil && deferred[path] == nil }
}
