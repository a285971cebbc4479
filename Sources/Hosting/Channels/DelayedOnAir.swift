import Channels
import MediaCore
import Playlists
import Presentation
import Recording
import Synchronization

/// Finds the sources of the slots that delayed viewers see, as they were recorded, also by earlier
/// processes.
final class DelayedOnAir: Sendable {
    private let recording: Recording
    private let monitor: OnAirMonitor
    private let state = Mutex(State())

    private struct State {
        var history = OnAirHistory()
        /// The end of the slots that were read; nil before any were.
        var next: MediaSequenceNumber?
        /// The end of the requested slots at the last failure of the disk; nil if it has not failed.
        var failure: MediaSequenceNumber?
    }

    /// The slots that are read at a time: a block of the recording, because one slot takes as long as all of them.
    private static let step: Int64 = 256

    /// - Parameters:
    ///   - recording: The recording of the channel.
    ///   - monitor: Knows the inputs of the channel.
    init(_ recording: Recording, _ monitor: OnAirMonitor) {
        (self.recording, self.monitor) = (recording, monitor)
    }

    /// Returns the sources of slots; it may wait for the disk.
    ///
    /// Each slot is read once for all clients. Slots that the disk does not give are left out, and tried again once
    /// viewers have another slot.
    ///
    /// - Parameters:
    ///   - numbers: The slots that viewers have.
    ///   - start: The time at which the first of them begins, in UTC.
    /// - Returns: Their sources, and perhaps those of slots that follow.
    func history(of numbers: Range<MediaSequenceNumber>, since start: MediaTime) -> OnAirHistory {
        state.withLock { state in
            read(numbers, &state)
            state.history = state.history.since(start)
            return state.history
        }
    }

    /// Reads slots that were not read yet, as far as they are recorded, and with them the rest of the last one's block.
    private func read(_ numbers: Range<MediaSequenceNumber>, _ state: inout State) {
        if let failure = state.failure, numbers.upperBound <= failure { return }
        guard let extent = recording.extent else { return }
        var first = max(state.next ?? numbers.lowerBound, numbers.lowerBound, extent.lowerBound)
        while first < min(numbers.upperBound, extent.upperBound) {
            let end = min(MediaSequenceNumber((first.value / Self.step + 1) * Self.step), extent.upperBound)
            guard let slots = try? recording.slots(in: first..<end) else {
                state.failure = numbers.upperBound
                return
            }
            take(slots, &state)
            state.next = end
            first = end
        }
    }

    private func take(_ slots: [ListedSlot], _ state: inout State) {
        guard let first = slots.first, let last = slots.last else { return }
        var renditions = (try? recording.declaration(at: last.number))?.renditions ?? []
        // The first slot may have renditions that the last one lacks.
        let before = (try? recording.declaration(at: first.number))?.renditions ?? []
        renditions += before.filter { old in !renditions.contains { $0.id == old.id } }
        for slot in slots { monitor.take(slot, renditions, in: &state.history) }
    }
}
