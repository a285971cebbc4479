import Dispatch
package import Files
package import MediaCore
package import NIOCore
package import Presentation
import Synchronization

/// Keeps a channel's window on disk, so that it survives the end of the process at any moment.
///
/// Slots are handed to the operating system before a client can see them, so they survive `kill -9`. They reach the
/// disk itself soon after, and then survive power cuts. A slow or full disk holds up the stream no longer than
/// ``patience``; after that, slots are published without being stored, which is counted and reported. Parts wait for a
/// sixteenth of a part at most, and are not protected against power cuts. Content keys are never written.
///
/// If a ``MediaStore`` has the segments, the journal only writes lines and parts. It keeps parts until their slots are
/// over, or while they are listed in slots that became gaps.
package final class Journal: PublicationConsumer, BodyStore {
    /// The longest time that a publication waits.
    package let patience: Duration
    private let writer: Mutex<JournalWriter>
    private let state = Mutex(State())
    private let fileSystem: any FileSystem
    private let paths: JournalPaths
    /// Keeps the segments that lines name; nil if the journal does.
    private let media: (any MediaStore)?
    private let lock: Mutex<(any AnyObject & Sendable)?>
    private let onEvent: @Sendable (JournalEvent) -> Void
    /// The listed segments of the restored window that could not be taken over.
    private let losses: [String]
    private let synchronizer: DiskSynchronizer

    private struct State {
        var health = JournalHealth()
        var statistics = Statistics()
    }

    /// Counts since the start.
    package struct Statistics: Hashable, Sendable {
        package var written = 0
        /// Published before they were written.
        package var late = 0
        /// Published and not written by themselves.
        package var unwritten = 0
        /// Segments and initialization sections that could not be kept.
        package var lostFiles = 0
        package var writtenParts = 0
        /// Parts that could not be kept, and those after them in their slots.
        package var lostParts = 0
    }

    private init(
        _ writer: consuming sending JournalWriter,
        paths: JournalPaths,
        media: (any MediaStore)?,
        patience: Duration,
        lock: any AnyObject & Sendable,
        losses: [String],
        fileSystem: any FileSystem,
        onEvent: @escaping @Sendable (JournalEvent) -> Void
    ) {
        self.writer = Mutex(writer)
        self.paths = paths
        self.media = media
        self.patience = patience
        self.lock = Mutex(lock)
        self.losses = losses
        self.fileSystem = fileSystem
        synchronizer = DiskSynchronizer("journal.synchronization", fileSystem)
        self.onEvent = onEvent
    }

    /// Opens or begins the journal of a channel, and reads that of an earlier process.
    ///
    /// - Parameters:
    ///   - directory: The directory, which is made if it does not exist; each channel has a directory in it.
    ///   - channel: Its name: a path component.
    ///   - configuration: All that the window depends on; a journal kept under another configuration is not taken over.
    ///   - defaults: Values for settings that such a configuration, perhaps of an older version, does not name.
    ///   - newSecret: The treatment of a journal that was kept with another master secret.
    ///   - media: Keeps the segments, and has those of the process before; nil if the journal keeps them itself.
    ///   - segmentDuration: The length of a slot.
    ///   - maximumBytes: The most bytes that are read of an earlier window's segments, the newest first; the others
    ///     only have to be there.
    ///   - capacity: Bytes that each of the two files takes on the disk at least.
    ///   - patience: The longest time that a publication waits; nil for a quarter of a slot, and at most 1 s.
    ///   - fileSystem: The file system that the directory is in.
    ///   - onEvent: Called with news for the operator; on any thread, also before this returns.
    /// - Returns: The journal, and the window for ``Presentation/restore(_:now:)``; nil if there is none to take over.
    ///   ``reportLosses()`` reports what the window lacks.
    /// - Throws: ``JournalError`` if the directory cannot be used, or it was kept with another secret.
    package static func open(
        directory: String,
        channel: String,
        configuration: [String: String],
        defaults: [String: String] = [:],
        newSecret: NewSecret = .refused,
        media: (any MediaStore)? = nil,
        segmentDuration: MediaTime,
        maximumBytes: Int = .max,
        capacity: Int = 1 << 20,
        patience: Duration? = nil,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        onEvent: @escaping @Sendable (JournalEvent) -> Void
    ) throws(JournalError) -> (journal: Journal, restored: RestoredWindow?) {
        let paths = JournalPaths(directory: "\(directory)/\(channel)")
        let lock = try holdDirectory(paths, fileSystem)
        let start = JournalStart(
            reading: paths,
            configuration: configuration,
            defaults: defaults,
            newSecret: newSecret,
            media: media,
            maximumBytes: maximumBytes,
            from: fileSystem
        )
        if let refusal = start.refusal { throw refusal }
        if let objection = start.objection { onEvent(.notRestored(reason: objection)) }
        var writer = JournalWriter(
            start,
            paths: paths,
            configuration: configuration,
            keepsMedia: media == nil,
            minimumCapacity: capacity,
            fileSystem: fileSystem
        )
        var reservation: FileError?
        do throws(FileError) { try writer.reserve() } catch { reservation = error }
        let journal = Journal(
            writer,
            paths: paths,
            media: media,
            patience: patience ?? min(.milliseconds(segmentDuration.milliseconds / 4), .seconds(1)),
            lock: lock,
            losses: start.losses,
            fileSystem: fileSystem,
            onEvent: onEvent
        )
        journal.note(.records, reason: reservation.map { "\($0)" })
        return (journal, start.restored)
    }

    /// Reports the segments that the restored window lacks, with the effect on viewers.
    ///
    /// To be called by those who continue with that window: viewers of another one miss nothing.
    package func reportLosses() {
        for loss in losses { onEvent(.lost(what: loss)) }
    }

    /// Makes the directory and keeps other processes out of it.
    ///
    /// - Returns: The lock, which holds as long as it is kept.
    /// - Throws: ``JournalError`` if the directory cannot be used, or another process uses it.
    private static func holdDirectory(
        _ paths: JournalPaths,
        _ fileSystem: any FileSystem
    ) throws(JournalError) -> any AnyObject & Sendable {
        let lock: (any AnyObject & Sendable)?
        do throws(FileError) {
            try fileSystem.makeDirectory(paths.media)
            lock = try fileSystem.lock(paths.lock)
        } catch {
            throw .unusable(error)
        }
        guard let lock else { throw .inUse(directory: paths.directory) }
        return lock
    }

    package var name: String { "journal" }
    package var policy: ConsumerPolicy { .precedes(within: patience) }
    package var interest: Publication.Kinds { Self.interest.union(media?.interest ?? []) }
    private static let interest: Publication.Kinds = [.window, .part, .slots]
    package var health: JournalHealth { state.withLock { $0.health } }
    package var statistics: Statistics { state.withLock { $0.statistics } }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        let result = media.map { media in media.take(batch.filter { media.interest.contains($0.kind) }) }
        for publication in batch {
            switch publication {
            case .window(let snapshot): note(writer.withLock { $0.write(snapshot) })
            case .slots(let slots):
                var outcome = writer.withLock { $0.write(slots) }
                outcome.noteLost(lostSegments(of: slots))
                let isWritten = outcome.recordProblem == nil
                state.withLock { state in
                    state.statistics.written += isWritten ? 1 : 0
                    state.statistics.unwritten += isWritten ? 0 : 1
                }
                note(outcome)
            case .part(let part):
                let outcome = writer.withLock { $0.write(part) }
                state.withLock { state in
                    state.statistics.writtenParts += outcome == .written ? 1 : 0
                    state.statistics.lostParts += outcome.isLoss ? 1 : 0
                }
                if outcome != .known { note(.parts, reason: outcome.problem) }
            default: break
            }
        }
        return result ?? .done
    }

    /// The number of segments that the store of media was to keep and has not.
    private func lostSegments(of slots: SlotPublication) -> Int {
        guard let media else { return 0 }
        return slots.files.count { $0.byteCount != nil && media.holds($0.path) == false }
    }

    package func keepsUp(_ pace: ConsumerPace) {
        media?.keepsUp(pace)
        state.withLock { state in
            if pace != .inTime { state.statistics.late += 1 }
            if pace == .missed { state.statistics.unwritten += 1 }
        }
        note(.late, reason: pace == .inTime ? nil : "the disk takes longer than \(patience) for a slot")
    }

    /// True if the journal has a file, or the store of its media; nil while that is being written.
    package func holds(_ path: String) -> Bool? {
        let isOwn = writer.withLockIfAvailable { $0.holds(path) }
        guard let media, isOwn != true else { return isOwn }
        // A file of the journal from before the recording may remain.
        return media.holds(path).flatMap { $0 ? true : isOwn }
    }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        do throws(FileError) {
            let bytes = try bytes(path, range)
            note(.reading, reason: nil)
            return bytes
        } catch {
            // A segment that expired after the request is expected to be missing.
            if holds(path) ?? false { note(.reading, reason: "\(error)") }
            throw error
        }
    }

    private func bytes(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        guard let media, media.holds(path) ?? true else { return try fileSystem.read(paths.media(path), range) }
        do throws(FileError) {
            return try media.read(path, range)
        } catch {
            // The journal may have the file from before the recording.
            guard let bytes = try? fileSystem.read(paths.media(path), range) else { throw error }
            return bytes
        }
    }

    package func place(of range: Range<Int>, in path: String) -> FilePlace? {
        // A successful read shows that reading is possible again.
        if state.withLock({ $0.health.has(.reading) }) { return nil }
        guard let media, media.holds(path) ?? true else { return fileSystem.place(of: range, in: paths.media(path)) }
        return media.place(of: range, in: path)
    }

    /// Returns once all written data has reached the disk, for an orderly end.
    package func finish() { synchronizer.finish() }

    /// Finishes and releases the journal's place: another journal can be kept there.
    ///
    /// To be called once nothing is published any more.
    package func close() {
        finish()
        lock.withLock { $0 = nil }
    }

    private func note(_ outcome: JournalWriter.Outcome) {
        state.withLock { $0.statistics.lostFiles += outcome.lostCount }
        note(.media, reason: outcome.mediaProblem)
        if outcome.isRecorded { note(.records, reason: outcome.recordProblem) }
        synchronizer.synchronize(outcome.touched) { [self] problem in
            note(.synchronization, reason: problem.map { "\($0)" })
        }
    }

    private func note(_ problem: JournalProblem, reason: String?) {
        if let event = state.withLock({ $0.health.noted(problem, reason: reason) }) { onEvent(event) }
    }
}

extension JournalWriter.Outcome {
    /// Notes segments that something else was to keep and has not.
    fileprivate mutating func noteLost(_ count: Int) {
        guard count > 0 else { return }
        lostCount += count
        mediaProblem = "the recording does not have them"
    }
}
