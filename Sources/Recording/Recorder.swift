package import Files
import MediaCore
package import NIOCore
import Playlists
package import Presentation
import Synchronization

/// Writes the publications of a channel into its recording.
///
/// It writes after viewers have the slot. If a journal leaves media to the recording, it writes before, as the journal
/// does.
package final class Recorder: PublicationConsumer, BodyStore {
    package let policy: ConsumerPolicy
    package let recording: Recording
    /// The renditions of the newest slot.
    private let renditions = Mutex<[RenditionDescription]>([])

    package init(_ recording: Recording, policy: ConsumerPolicy = .follows(backlog: 64)) {
        (self.recording, self.policy) = (recording, policy)
    }

    package var name: String { "recording" }
    package var interest: Publication.Kinds { [.window, .slots, .playlists] }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .window(let snapshot): record(snapshot)
            case .slots(let slots):
                renditions.withLock { $0 = slots.window.renditions }
                for slot in slots.window.newestSlots(slots.slots.count) { recording.record(slot) { slots.bodies[$0] } }
                recording.serves(from: slots.oldestServed ?? slots.window.numbers.lowerBound)
            case .playlists(let playlists): declare(playlists)
            default: break
            }
        }
        return .done
    }

    package func keepsUp(_ pace: ConsumerPace) {
        // Viewers have the slot before a recorder that follows, so only its backlog counts.
        let isLate = if case .precedes = policy { pace != .inTime } else { pace == .missed }
        recording.note(isLate: isLate)
    }

    /// Records the slots of a window that are newer than those that are recorded.
    private func record(_ snapshot: StreamSnapshot) {
        if let oldest = snapshot.oldestServed { recording.serves(from: oldest) }
        renditions.withLock { $0 = snapshot.window.renditions }
        if let playlists = snapshot.playlists { declare(playlists) }
        let (numbers, end) = (snapshot.window.numbers, recording.extent?.upperBound)
        let count = numbers.count { number in end.map { $0 <= number } ?? true }
        for slot in snapshot.window.newestSlots(count) {
            recording.record(slot) { path in try? snapshot.body(path)?.read() }
        }
        recording.noteMissing(in: (snapshot.oldestServed ?? numbers.lowerBound)..<numbers.upperBound)
    }

    private func declare(_ publication: PlaylistsPublication) {
        var texts: [MultivariantName: String] = [:]
        for name in MultivariantName.allCases {
            if let playlist = publication.playlists[name.rawValue] { texts[name] = String(buffer: playlist.text) }
        }
        if texts.isEmpty { return }
        recording.declare(Declaration(renditions: renditions.withLock { $0 }, multivariants: texts))
    }

    /// True if the recording has all bytes of a segment; nil if it has not come to it yet.
    package func holds(_ path: String) -> Bool? { recording.holds(path) }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        do throws(RecordingError) {
            guard let body = try recording.body(path) else {
                throw RecordingError.failed(FileError(operation: "read", path: path, reason: "it was not recorded"))
            }
            return try body.bytes(range)
        } catch {
            if case .failed(let error) = error { throw error }
            throw FileError(operation: "read", path: path, reason: "\(error)")
        }
    }

    package func place(of range: Range<Int>, in path: String) -> FilePlace? {
        (try? recording.body(path))?.place(of: range)
    }
}

extension RecordedBody {
    fileprivate func bytes(_ range: Range<Int>) throws(RecordingError) -> ByteBuffer {
        do throws(FileError) { return try read(range) } catch { throw .failed(error) }
    }
}

extension Recording {
    /// Returns true if a segment was recorded and is kept; nil if its slot has not come yet.
    fileprivate func holds(_ path: String) -> Bool? {
        guard let number = MediaPath(path)?.number else { return false }
        return state.withLock { state in
            guard let extent = state.extent, number < extent.upperBound else {
                return state.lost.contains(number) ? false : nil
            }
            guard extent.contains(number), !state.lost.contains(number) else { return false }
            let block = BlockNumber(of: number)
            // A block that has left memory has all of the window that is not noted as missing.
            guard let live = state.live[block] else { return state.blocks.has(block) }
            let segments = live.contents.slots[number]?.slot.segments.values
            return segments?.contains { !$0.line.isGap && $0.line.uri == path } ?? false
        }
    }

    /// Notes slots that may be asked for and that earlier processes have not recorded.
    fileprivate func noteMissing(in numbers: Range<MediaSequenceNumber>) {
        guard let extent else { return }
        for (block, members) in numbers.clamped(to: extent).byBlock {
            let missing: [MediaSequenceNumber]
            switch place(of: block) {
            case .missing: continue
            case .live(let live): missing = members.filter { live.contents.slots[$0] == nil }
            case .sealed(let epoch):
                let table = try? table(of: block, epoch)
                missing = members.filter { table?.hasRecorded($0) != true }
            }
            state.withLock { $0.lost.formUnion(missing) }
        }
    }

    /// Notes the oldest slot that live viewers may ask for, and forgets those before it that could not be recorded.
    fileprivate func serves(from number: MediaSequenceNumber) {
        state.withLock { state in
            state.oldestServed = number
            if !state.lost.isEmpty { state.lost = state.lost.filter { $0 >= number } }
        }
    }

    fileprivate func note(isLate: Bool) {
        if isLate { state.withLock { $0.statistics.late += 1 } }
        note(.late, reason: isLate ? "the disk takes too long for a slot" : nil)
    }
}
