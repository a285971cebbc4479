package import MediaCore
package import NIOCore

/// An access unit as a sample of an `avc1` track stores it, with what its NAL units say of it.
package struct AVCAccessUnit: Sendable {
    /// NAL units behind four-byte lengths; no parameter sets, delimiters or filler data.
    package var payload: ByteBuffer
    /// Bytes of the packet that were read: behind them stands another access unit.
    package var packetBytes = 0
    /// Whether it has slices: without, it is no sample, and may be left out.
    package var hasPicture = false
    /// Whether its slices are those of an IDR picture: decoding may start here.
    package var isIDR = false
    /// Whether a recovery point SEI message says that pictures are right from here on.
    package var isRecoveryPoint = false
    /// Whether `AVCAccessUnitReader.configuration` is another one from this picture on; true at the first picture.
    package var configurationChanged = false
    /// The label of its picture; nil where it has none or the reader was not asked for it.
    package var timecode: Timecode?
    /// Captions that its picture carries, where the reader was asked for them.
    package var captions = CaptionServices()
    /// What of `payload` may be encrypted, covering it wholly; empty where the reader was not asked for it.
    package var subsamples: [Subsample] = []
}
