import MediaCore
import Presentation
import Synchronization

/// Remembers its publications, and handles them as a test wants.
final class StreamLog: PublicationConsumer {
    let name: String
    let policy: ConsumerPolicy
    let interest: Publication.Kinds
    private let batches = Mutex<[[Publication]]>([])
    private let paces = Mutex<[ConsumerPace]>([])
    private let onTake: @Sendable ([Publication]) -> ConsumerResult

    init(
        _ policy: ConsumerPolicy,
        name: String = "log",
        interest: Publication.Kinds = [.window, .part, .slots, .passedOver, .playlists, .expired, .ended],
        onTake: @escaping @Sendable ([Publication]) -> ConsumerResult = { _ in .done }
    ) {
        (self.policy, self.name, self.interest, self.onTake) = (policy, name, interest, onTake)
    }

    func take(_ batch: [Publication]) -> ConsumerResult {
        batches.withLock { $0.append(batch) }
        return onTake(batch)
    }

    func keepsUp(_ pace: ConsumerPace) { paces.withLock { $0.append(pace) } }

    var all: [Publication] { batches.withLock { $0.flatMap(\.self) } }
    /// The sizes of the batches.
    var calls: [Int] { batches.withLock { $0.map(\.count) } }
    /// The pace at each slot.
    var pace: [ConsumerPace] { paces.withLock { $0 } }
    /// One word for each publication; of slots with their numbers, counted from the first of ``Channel``.
    var words: [String] { all.map(\.word) }
}

extension Publication {
    var word: String {
        func numbers(_ slots: [PublishedSlot]) -> String {
            slots.map { "\($0.number.value - Channel.firstNumber)" }.joined(separator: ",")
        }
        return switch self {
        case .window(let snapshot):
            snapshot.window.numbers.isEmpty
                ? "window" : "window ..\((snapshot.window.lastNumber?.value ?? 0) - Channel.firstNumber)"
        case .part(let part): "part \(part.part.number.value - Channel.firstNumber).\(part.part.index)"
        case .slots(let slots): "\(slots.isBridge ? "bridge" : "slots") \(numbers(slots.slots))"
        case .passedOver(let slots): "passed over \(numbers(slots.slots))"
        case .playlists: "playlists"
        case .expired(let expired):
            "expired " + expired.slots.map { "\($0.value - Channel.firstNumber)" }.joined(separator: ",")
        case .ended: "ended"
        }
    }
}
