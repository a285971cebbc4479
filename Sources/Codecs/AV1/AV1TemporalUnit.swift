package import MediaCore
package import NIOCore

/// A temporal unit as a sample of an `av01` track stores it, with what its headers say of it.
package struct AV1TemporalUnit: Sendable {
    /// OBUs with size fields; no temporal delimiters, redundant frame headers, tile lists or padding.
    package var payload: ByteBuffer
    /// Bytes of the packet that were read: behind them stands another temporal unit.
    package var packetBytes = 0
    /// Whether it has frames: without, it is no sample, and may be left out.
    package var hasPicture = false
    /// Whether it is a random access point: its first frame is a shown key frame behind a sequence header.
    package var isSync = false
    /// Whether `AV1TemporalUnitReader.configuration` is another one from this picture on; true at the first picture.
    package var configurationChanged = false
    /// The label of its picture; nil where it has none or the reader was not asked for it.
    package var timecode: Timecode?
    /// What of `payload` may be encrypted, a subsample for each tile, covering it wholly; empty where the reader was
    /// not asked for it.
    package var subsamples: [Subsample] = []
}
