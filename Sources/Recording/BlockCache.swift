import MediaCore
import Playlists
import Synchronization

/// Recently read blocks of recordings, so that many viewers of one time cost one read; the least recently used block is
/// dropped.
package final class BlockCache: Sendable {
    /// The cache of all recordings of the process, with room for a day of a dozen playlists.
    package static let shared = BlockCache(capacity: 1 << 26)

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The most bytes that it keeps.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        /// Counts the uses.
        var clock: UInt64 = 0
        var newestRecording: UInt64 = 0

        /// Drops the least recently used blocks.
        mutating func shrink(to limit: Int) {
            for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                if byteCount <= limit { return }
                byteCount -= entry.byteCount
                entries[key] = nil
            }
        }
    }

    private struct Entry {
        var value: Value
        var byteCount: Int
        var lastUse: UInt64
    }

    /// A piece of a block.
    struct Key: Hashable, Sendable {
        var recording: UInt64
        /// The count of the recording's changes in blocks that were over.
        var epoch: Int
        var block: BlockNumber
        var piece: Piece
    }

    enum Piece: Hashable, Sendable {
        case table, story
        case lines(RenditionID)
    }

    enum Value: Sendable {
        case table(SealedBlock)
        case story(BlockStory)
        /// The lines of a playlist, and all of them made ready.
        case lines(RenditionLines, whole: RecordedLines?)
    }

    /// The bytes in memory for everything that it keeps.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns a new number for a recording.
    func register() -> UInt64 {
        state.withLock { state in
            state.newestRecording += 1
            return state.newestRecording
        }
    }

    subscript(key: Key) -> Value? {
        state.withLock { state in
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            return state.entries[key]?.value
        }
    }

    func insert(_ value: Value, byteCount: Int, for key: Key) {
        state.withLock { state in
            state.clock += 1
            let entry = Entry(value: value, byteCount: byteCount, lastUse: state.clock)
            state.byteCount += byteCount - (state.entries.updateValue(entry, forKey: key)?.byteCount ?? 0)
            // A quarter is removed at once, so that this is rare.
            if state.byteCount > capacity { state.shrink(to: capacity / 4 * 3) }
        }
    }

    /// Forgets all of a recording.
    func removeAll(of recording: UInt64) {
        state.withLock { state in
            for (key, entry) in state.entries where key.recording == recording {
                state.byteCount -= entry.byteCount
                state.entries[key] = nil
            }
        }
    }
}
