import MediaCore
import Playlists
import Synchronization

/// Recently read blocks of recordings, so that many viewers of one time cost one read; the least recently used block is
/// dropped.
package final class BlockCache: Sendable {
    /// The cache of all recordings of the process, with room for a day of a dozen playlists.
    package static let shared = BlockCache(capacity: 1 << 26)

    private let state: Mutex<State>

    /// - Parameter capacity: The most bytes that it keeps.
    package init(capacity: Int) {
        state = Mutex(State(blocks: RecentlyUsed(capacity: capacity)))
    }

    private struct State {
        var blocks: RecentlyUsed<Key, Value>
        var newestRecording: UInt64 = 0
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
        case story(BlockMetadata)
        /// The lines of a playlist, and all of them made ready.
        case lines(RenditionLines, whole: RecordedLines?)
    }

    /// The bytes in memory for everything that it keeps.
    package var byteCount: Int { state.withLock { $0.blocks.byteCount } }

    /// Returns a new number for a recording.
    func register() -> UInt64 {
        state.withLock { state in
            state.newestRecording += 1
            return state.newestRecording
        }
    }

    subscript(key: Key) -> Value? { state.withLock { $0.blocks.use(key) } }

    func insert(_ value: Value, byteCount: Int, for key: Key) {
        state.withLock { $0.blocks.insert(value, byteCount: byteCount, for: key) }
    }

    /// Forgets all of a recording.
    func removeAll(of recording: UInt64) {
        state.withLock { $0.blocks.removeAll { $0.recording == recording } }
    }
}
