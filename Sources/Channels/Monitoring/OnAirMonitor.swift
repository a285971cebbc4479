import ISOBMFF
package import MediaCore
import Playlists
import Presentation
import Segmenting
import Synchronization
import Timeline

/// Looks at what is published, for those who ask what is on air and since when.
package final class OnAirMonitor: Sendable {
    private let state = Mutex(OnAirHistory())
    /// Nil where nobody is shown pictures.
    package let keyFrames: NewestKeyFrames?

    package init(keepsPictures: Bool = false) {
        keyFrames = keepsPictures ? NewestKeyFrames() : nil
    }

    package var history: OnAirHistory { state.withLock { $0 } }

    /// Slots were listed that an earlier run, or a peer, has published.
    func restored(_ window: WindowSnapshot, _ renditions: [RenditionDescription], inputs: [InputID]) {
        let inputOf = Dictionary(renditions.map { ($0.id, $0.input) }) { first, _ in first }
        state.withLock { history in
            for rendition in window.renditions {
                for segment in rendition.segments {
                    let source = Self.source(
                        isGap: segment.isGap,
                        segment.filler,
                        segment.selection,
                        input: inputOf[rendition.id],
                        among: inputs
                    )
                    let end = segment.start + segment.duration.time
                    history.published(rendition.id, from: source, start: segment.start, end: end)
                }
            }
        }
    }

    /// Viewers have these slots.
    ///
    /// - Parameters:
    ///   - slots: As they were listed.
    ///   - decision: On the last of them.
    ///   - renditions: Those that are listed.
    ///   - inputs: Those of the channel.
    func published(
        _ slots: [PublishedSlot],
        _ decision: ChannelEngine.SlotDecision,
        _ renditions: [RenditionDescription],
        inputs: [InputID]
    ) {
        state.withLock { history in
            for slot in slots {
                for rendition in renditions {
                    guard let segment = slot.segments[rendition.id] else { continue }
                    let source = Self.source(
                        isGap: segment.media == nil,
                        segment.filler,
                        segment.selection,
                        input: rendition.input,
                        among: inputs
                    )
                    let start = segment.programDateTime
                    history.published(rendition.id, from: source, start: start, end: start + segment.duration.time)
                }
            }
        }
        guard let keyFrames, let newest = slots.last else { return }
        let shown = decision.segments.filter { newest.segments[$0.id]?.media != nil }
        keyFrames.replace(with: shown.compactMap(\.contents.cut.newestKeyFrame))
    }

    private static func source(
        isGap: Bool,
        _ filler: PublishedSegment.Filler?,
        _ selection: SourceSelection?,
        input position: Int?,
        among inputs: [InputID]
    ) -> String {
        if isGap { return "none" }
        if let filler { return filler.rawValue }
        // Where there is no choice it is the input itself.
        let rank = selection?.active ?? 0
        let input = inputs.first { $0.position == position && $0.rank == rank }
        return (input ?? .input(position ?? 0)).description
    }
}

extension CutSegment {
    /// Of video, the last picture in it that decoding may start at.
    fileprivate var newestKeyFrame: KeyFrame? {
        guard let configuration, configuration.kind == .video else { return nil }
        return samples.last(where: \.isSync).map { KeyFrame(configuration: configuration, payload: $0.payload) }
    }
}
