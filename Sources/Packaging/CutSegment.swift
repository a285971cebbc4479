package import ISOBMFF
package import MediaCore

/// What one rendition has for one slot: samples that fill it from boundary to boundary, or nothing.
package struct CutSegment: Sendable {
    package var number: MediaSequenceNumber
    package var start: Boundary
    package var end: Boundary
    /// Units a second of the three fields that follow and of the samples.
    package var timescale: Int64
    /// baseMediaDecodeTime, counted from 1970.
    package var decodeTime: Int64
    /// From this segment's decode time to the next one's: EXTINF.
    package var duration: Int64
    /// Empty in a gap.
    package var samples: [FragmentSample]
    /// What the samples are decoded with; nil in a gap.
    package var configuration: CodecConfiguration?

    package var isGap: Bool { samples.isEmpty }
}
