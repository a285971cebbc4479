import Dispatch
package import Files
package import MediaCore
import NIOCore
package import Playlists
import Presentation
import Synchronization

/// A channel's past on disk: opened once, written by a ``Recorder``, read by many threads.
///
///     DIR/NAME/recording.json             the stream that it is of
///     DIR/NAME/init/RENDITION/NAME        initialization sections, which blocks share
///     DIR/NAME/BLOCK/index                a line for each slot and declaration, appended
///     DIR/NAME/BLOCK/RENDITION.media      the bytes of segments, end to end
///     DIR/NAME/BLOCK/lines                the lines of playlists once the block is over, compressed as well
///     DIR/NAME/recordings                 what is made of it, which others keep
///
/// A block has 256 slots, those whose numbers begin alike, so that any time is found by arithmetic. In memory are the
/// numbers of the blocks, the block that is written, and those of ``BlockCache``.
package final class Recording: Sendable {
    let paths: RecordingPaths
    let style: LineStyle
    let fileSystem: any FileSystem
    let limits: RecordingLimits
    let cache: BlockCache
    /// The number of the recording in the cache.
    let number: UInt64
    let onEvent: @Sendable (RecordingEvent) -> Void
    /// The state of writing; taken before ``removal`` and ``state``.
    let writers: Mutex<Writers>
    /// The bytes of blocks that are over; held while blocks are removed.
    let removal = Mutex<[BlockNumber: Int]>([:])
    let state: Mutex<State>
    /// Makes the lines of blocks that are over.
    let sealing = DispatchQueue(label: "recording.sealing", qos: .utility)
    let synchronizer: DiskSynchronizer
    private let lock: Mutex<(any HeldLock)?>

    /// The blocks that are written to.
    struct Writers: Sendable {
        /// The newest block; nil if there is none.
        var open: BlockWriter?
        /// The contents of the newest block if it was removed to make room for the next one, whose head follows from it.
        var removed: BlockContents?
        /// An older block that is being filled.
        var filling: BlockWriter?
        /// The declaration in force.
        var declaration: Declaration?
        /// The slot that was recorded last.
        var newest: ListedSlot?
    }

    /// The state that readers share.
    struct State: Sendable {
        /// The blocks, oldest first.
        var blocks: [BlockNumber] = []
        /// The oldest slot; nil if there is no block.
        var first: MediaSequenceNumber?
        /// The blocks that have no file of lines yet.
        var live: [BlockNumber: LiveBlock] = [:]
        /// The oldest slot that live viewers may ask for; nil if that is not known.
        var oldestServed: MediaSequenceNumber?
        /// Slots of this process that could not be recorded.
        var lost: Set<MediaSequenceNumber> = []
        /// Blocks whose damage was reported.
        var damaged: Set<BlockNumber> = []
        /// True if something could not be read since the last ``Recording/prune(now:)``.
        var couldNotRead = false
        /// Counts the changes in blocks that were over.
        var epoch = 0
        var health = RecordingHealth()
        var statistics = RecordingStatistics()

        /// The end of the newest slot.
        var end: MediaSequenceNumber? { blocks.last.flatMap { live[$0]?.end } }
        var extent: Range<MediaSequenceNumber>? {
            guard let first, let end, first < end else { return nil }
            return first..<end
        }
    }

    private init(
        _ start: RecordingStart,
        paths: RecordingPaths,
        style: LineStyle,
        limits: RecordingLimits,
        cache: BlockCache,
        fileSystem: any FileSystem,
        lock: any HeldLock,
        onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) {
        (self.paths, self.style, self.limits, self.cache) = (paths, style, limits, cache)
        (self.fileSystem, self.onEvent) = (fileSystem, onEvent)
        synchronizer = DiskSynchronizer("recording.synchronization", fileSystem)
        number = cache.register()
        self.lock = Mutex(lock)
        var state = State(blocks: start.blocks, first: start.first)
        var writers = Writers(open: start.newest)
        if let contents = start.newest?.contents {
            state.live[contents.number] = LiveBlock(contents, style: style, isOver: false)
            writers.declaration = contents.declarations.last?.declaration
            writers.newest = contents.last.flatMap { contents.slots[$0]?.slot }
        }
        self.state = Mutex(state)
        self.writers = Mutex(writers)
    }

    deinit { cache.removeAll(of: number) }

    /// Opens or begins a recording.
    ///
    /// Reads the names of its blocks, the index of the newest and the head of the oldest, however long it is.
    ///
    /// - Parameters:
    ///   - directory: The directory of the channel's recording, which is made if it is missing.
    ///   - identity: The settings that the bytes, numbers and names of the stream depend on, except those that may
    ///     change in the course of a recording.
    ///   - segmentDuration: The length of a slot.
    ///   - limits: The limits beyond which the oldest blocks are removed.
    ///   - keyAddresses: The addresses of keys that playlists name.
    ///   - cache: The cache of recently read blocks.
    ///   - fileSystem: The file system that the directory is in.
    ///   - onEvent: Called with events for the operator, on any thread, also before this returns.
    /// - Returns: The recording, which nobody else can open until it is closed or released.
    /// - Throws: ``RecordingError`` if the directory cannot be used, or is not the recording of the stream.
    package static func open(
        _ directory: String,
        identity: [String: String],
        segmentDuration: MediaTime,
        limits: RecordingLimits = RecordingLimits(),
        keyAddresses: KeyAddresses = KeyAddresses(),
        cache: BlockCache = .shared,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        onEvent: @escaping @Sendable (RecordingEvent) -> Void
    ) throws(RecordingError) -> Recording {
        let document = RecordingDocument(identity: identity, segmentDuration: segmentDuration)
        let (paths, lock) = try claim(directory, for: document, fileSystem)
        let start: RecordingStart
        do throws(FileError) {
            start = try RecordingStart(reading: paths, from: fileSystem)
        } catch {
            throw .unusable(error)
        }
        let recording = Recording(
            start,
            paths: paths,
            style: LineStyle(segmentDuration: segmentDuration, keyAddresses: keyAddresses),
            limits: limits,
            cache: cache,
            fileSystem: fileSystem,
            lock: lock,
            onEvent: onEvent
        )
        for event in start.events { onEvent(event) }
        if let error = start.unreadable { _ = recording.failed(error) }
        for block in start.leftovers { try? recording.removeFiles(of: block) }
        return recording
    }

    /// Makes sure that a directory is the recording of a stream, can be written, and is nobody else's.
    ///
    /// - Returns: The paths in it, and a lock, which holds for as long as it is kept.
    private static func claim(
        _ directory: String,
        for stream: RecordingDocument,
        _ fileSystem: any FileSystem
    ) throws(RecordingError) -> (RecordingPaths, any HeldLock) {
        // The directory is checked before anything is written: it may be somebody else's.
        let isNew = try !isKept(stream, in: directory, fileSystem)
        let paths: RecordingPaths
        let lock: (any HeldLock)?
        do throws(FileError) {
            paths = RecordingPaths(directory: try fileSystem.claimDirectory(directory))
            lock = try fileSystem.lock(paths.lock)
            if isNew, lock != nil, let file = try? stream.file() {
                try fileSystem.replace(paths.document, file)
                // The document comes first: it identifies the directory.
                try fileSystem.synchronize(paths.document)
            }
        } catch {
            throw .unusable(error)
        }
        guard let lock else { throw .inUse(directory: directory) }
        return (paths, lock)
    }

    /// Checks if a recording can be opened, as far as reading shows; nothing is written.
    ///
    /// - Throws: ``RecordingError`` if the directory is not the recording of the stream.
    package static func check(
        _ directory: String,
        identity: [String: String],
        segmentDuration: MediaTime,
        fileSystem: any FileSystem = LocalFileSystem.confidential
    ) throws(RecordingError) {
        let document = RecordingDocument(identity: identity, segmentDuration: segmentDuration)
        _ = try isKept(document, in: directory, fileSystem)
    }

    /// Returns true if a directory is the recording of a stream, and false if nothing was recorded in it yet.
    private static func isKept(
        _ stream: RecordingDocument,
        in directory: String,
        _ fileSystem: any FileSystem
    ) throws(RecordingError) -> Bool {
        let names: [String]
        let text: ByteBuffer?
        do throws(FileError) {
            names = try fileSystem.list(directory + "/.")
            text = try fileSystem.read(directory + "/./recording.json", limit: RecordingDocument.limit)
        } catch {
            throw .unusable(error)
        }
        // A power cut may leave the document without its bytes.
        if let text, text.readableBytes > 0 {
            try RecordingDocument(reading: text, in: directory).check(stream, in: directory)
            return true
        }
        guard names.allSatisfy(isOwn) else { throw .foreign(directory: directory) }
        return false
    }

    /// Returns true for the name of a file or directory that may be there before anything is recorded.
    private static func isOwn(_ name: String) -> Bool {
        ["lock", "recordings", "recording.json"].contains(name) || name.hasSuffix(LocalFileSystem.temporarySuffix)
    }

    /// The slots from the oldest that is kept to the newest; nil if there is none.
    ///
    /// Missing slots in between are gaps.
    package var extent: Range<MediaSequenceNumber>? { state.withLock { $0.extent } }
    package var health: RecordingHealth { state.withLock { $0.health } }
    package var statistics: RecordingStatistics { state.withLock { $0.statistics } }

    /// Returns once the lines of all blocks that are over are made, and all that was written has reached the disk, for
    /// an orderly end.
    package func finish() {
        endFilling()
        sealing.sync {}
        synchronizer.finish()
    }

    /// Finishes, and releases the directory for another recording.
    ///
    /// Call it when recording has ended.
    package func close() {
        finish()
        lock.withLock { $0 = nil }
    }

    /// Makes sure that the directory is the one that was opened: files elsewhere would be no recording.
    ///
    /// - Throws: `FileError` if it was moved, removed or replaced, or if its disk was unmounted.
    func checkPlace() throws(FileError) {
        try lock.withLock { lock throws(FileError) in
            guard let lock, try !lock.isInPlace() else { return }
            let reason = "the directory of the recording has gone or was replaced"
            throw FileError(operation: "find", path: paths.lock, reason: reason)
        }
    }

    func note(_ problem: RecordingProblem, reason: String?) {
        if let event = state.withLock({ $0.health.noted(problem, reason: reason) }) { onEvent(event) }
    }
}
