import Playlists
package import Presentation
package import Segmenting

extension PublishedPart {
    /// A part without media (GAP=YES).
    package init(gap part: ChannelEngine.PartDecision) {
        self.init(part, content: .gap, isIndependent: false)
    }

    init(_ part: ChannelEngine.PartDecision, _ muxed: MuxedSegment) {
        self.init(part, content: .media(muxed.bytes), isIndependent: part.isIndependent, muxed.initialization)
    }

    private init(
        _ part: ChannelEngine.PartDecision,
        content: PublishedSegment.Content,
        isIndependent: Bool,
        _ initialization: PublishedSegment.InitializationSection? = nil
    ) {
        let cut = part.cut
        self.init(
            number: cut.number,
            index: part.index,
            duration: SegmentDuration(value: cut.duration, timescale: cut.timescale),
            isIndependent: isIndependent,
            content: content,
            opening: part.index > 0
                ? nil
                : Opening(
                    programDateTime: cut.start.utc,
                    startsDiscontinuity: part.startsDiscontinuity,
                    initialization: initialization,
                    keys: initialization?.keys ?? []
                )
        )
        isLast = part.isLast
    }
}
