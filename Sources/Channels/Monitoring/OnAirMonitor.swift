import ISOBMFF
package import MediaCore
package import Playlists
package import Presentation
import Segmenting
import Synchronization
import Timeline

/// Watches the publications to report the inputs on air, and since when they are.
package final class OnAirMonitor: Sendable {
    private let state = Mutex(State())
    /// The key frames on air; nil if thumbnails are off.
    package let keyFrames: NewestKeyFrames?

    private struct State {
        var history = OnAirHistory()
        /// The inputs of the channel.
        var inputs: [InputID] = []
    }

    package init(keepsPictures: Bool = false) {
        keyFrames = keepsPictures ? NewestKeyFrames() : nil
    }

    package var history: OnAirHistory { state.withLock { $0.history } }

    /// States the inputs of the channel, before anything is published.
    func declare(_ inputs: [InputID]) { state.withLock { $0.inputs = inputs } }

    /// Takes the window of an earlier run, or of a peer.
    private func restore(_ window: SavedWindow) {
        state.withLock { state in
            for rendition in window.renditions {
                for segment in window.segments(of: rendition.id) {
                    let source = Self.source(
                        isGap: segment.isGap,
                        segment.filler,
                        segment.selection,
                        of: rendition,
                        among: state.inputs
                    )
                    let end = segment.start + segment.duration.time
                    state.history.published(
                        segment.sequence,
                        of: rendition.id,
                        from: source,
                        start: segment.start,
                        end: end
                    )
                }
            }
        }
    }

    /// Takes slots as they were published, with the renditions that are listed.
    private func take(_ slots: [PublishedSlot], _ renditions: [RenditionDescription]) {
        state.withLock { state in
            for slot in slots {
                for rendition in renditions {
                    guard let segment = slot.segments[rendition.id] else { continue }
                    let source = Self.source(
                        isGap: segment.media == nil,
                        segment.filler,
                        segment.selection,
                        of: rendition,
                        among: state.inputs
                    )
                    let (start, end) = (segment.programDateTime, segment.programDateTime + segment.duration.time)
                    state.history.published(slot.number, of: rendition.id, from: source, start: start, end: end)
                }
            }
        }
        guard let keyFrames, let newest = slots.last else { return }
        keyFrames.replace(with: renditions.compactMap { newest.segments[$0.id]?.keyFrame })
    }

    /// Takes a slot as it was listed into a history other than that of this process.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - renditions: The renditions that were declared, which say whose inputs they are of.
    ///   - history: The history.
    package func take(_ slot: ListedSlot, _ renditions: [RenditionDescription], in history: inout OnAirHistory) {
        let inputs = state.withLock { $0.inputs }
        let declared = Dictionary(renditions.map { ($0.id, $0) }) { first, _ in first }
        let others = slot.segments.keys.filter { declared[$0] == nil }.sorted { $0.name < $1.name }
        for id in renditions.map(\.id) + others {
            guard let segment = slot.segments[id] else { continue }
            let line = segment.line
            let source = Self.source(
                isGap: line.isGap,
                segment.filler,
                segment.selection,
                of: declared[id],
                among: inputs
            )
            let end = line.programDateTime + line.duration.time
            history.published(slot.number, of: id, from: source, start: line.programDateTime, end: end)
        }
    }

    private static func source(
        isGap: Bool,
        _ filler: PublishedSegment.Filler?,
        _ selection: SourceSelection?,
        of rendition: RenditionDescription?,
        among inputs: [InputID]
    ) -> String {
        if isGap { return "none" }
        if let filler { return filler.rawValue }
        let position = rendition?.input ?? 0
        let here = inputs.filter { $0.position.value == position }
        // Subtitles that come separately from the feeds are at a position that no input has.
        if here.isEmpty, case .text? = rendition?.kind { return "subtitles" }
        // Without a choice, it is the input itself.
        let rank = selection?.active ?? .primary
        return (here.first { $0.rank == rank } ?? .input(position)).description
    }
}

extension OnAirMonitor: PublicationConsumer {
    package var name: String { "on-air" }
    package var policy: ConsumerPolicy { .observes }
    package var interest: Publication.Kinds { [.window, .slots, .passedOver] }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .window(let snapshot): restore(snapshot.window)
            // Gaps that only keep the numbers together are no decision.
            case .slots(let slots) where !slots.isBridge: take(slots.slots, slots.window.renditions)
            case .passedOver(let slots): take(slots.slots, slots.renditions)
            default: break
            }
        }
        return .done
    }
}

extension CutSegment {
    /// The last picture of video that decoding may start at; nil for other kinds.
    var newestKeyFrame: KeyFrame? {
        guard let configuration, configuration.kind == .video else { return nil }
        return samples.last(where: \.isSync).map { KeyFrame(configuration: configuration, payload: $0.payload) }
    }
}
