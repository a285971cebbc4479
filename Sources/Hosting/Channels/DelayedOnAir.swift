import Channels
import MediaCore
import Playlists
import Presentation
import Recording
import Synchronization

/// Tells what has filled the slots that viewers have who are kept behind: as the recording has it, that of earlier
/// processes too.
final class DelayedOnAir: Sendable {
    private let recording: Recording
    private let monitor: OnAirMonitor
    private let state = Mutex(State())

    private struct State {
        var history = OnAirHistory()
        /// The slot after the newest that was taken; nil before there is one.
        var next: MediaSequenceNumber?
    }

    /// The slots that are read beyond those that are asked for: reading one takes as long as reading those of its block.
    private static let ahead: Int64 = 256

    /// - Parameters:
    ///   - recording: The recording of the channel.
    ///   - monitor: Knows the inputs of the channel.
    init(_ recording: Recording, _ monitor: OnAirMonitor) {
        (self.recording, self.monitor) = (recording, monitor)
    }

    /// Returns the sources of slots; it may wait for the disk.
    ///
    /// Each slot is read once, whoever asks, and what the disk does not give is left out.
    ///
    /// - Parameters:
    ///   - numbers: The slots that viewers have.
    ///   - start: The time at which the first of them begins, in UTC.
    /// - Returns: Their sources, and perhaps those of slots that follow.
    func history(of numbers: Range<MediaSequenceNumber>, since start: MediaTime) -> OnAirHistory {
        state.withLock { state in
            let first = max(state.next ?? numbers.lowerBound, numbers.lowerBound)
            if first < numbers.upperBound {
                let end = MediaSequenceNumber(numbers.upperBound.value + Self.ahead)
                take(first..<end, &state)
            }
            state.history = state.history.since(start)
            return state.history
        }
    }

    private func take(_ numbers: Range<MediaSequenceNumber>, _ state: inout State) {
        guard let slots = try? recording.slots(in: numbers), let first = slots.first, let last = slots.last else {
            return
        }
        var renditions = (try? recording.declaration(at: last.number))?.renditions ?? []
        // Others may have been there before.
        let before = (try? recording.declaration(at: first.number))?.renditions ?? []
        renditions += before.filter { old in !renditions.contains { $0.id == old.id } }
        for slot in slots { monitor.take(slot, renditions, in: &state.history) }
        state.next = last.number.next
    }
}
