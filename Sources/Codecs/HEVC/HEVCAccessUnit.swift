package import MediaCore
package import NIOCore

/// An access unit as a sample of an `hvc1` track stores it, with what its NAL units say of it.
package struct HEVCAccessUnit: Sendable {
    /// NAL units behind four-byte lengths; no parameter sets, delimiters or filler data.
    package var payload: ByteBuffer
    /// Bytes of the packet that were read: behind them stands another access unit.
    package var packetBytes = 0
    /// Whether it has slices: without, it is no sample, and may be left out.
    package var hasPicture = false
    /// Whether its picture is an instantaneous decoding refresh: no picture behind it needs one before it.
    package var isIDR = false
    /// Whether its picture is a clean random access: where decoding starts here, its RASL pictures are dropped.
    package var isCRA = false
    /// Whether its picture is a broken link: its RASL pictures are dropped always.
    package var isBLA = false
    /// Whether its picture is random access skipped leading: it needs pictures from before the CRA or BLA picture that
    /// it follows in decoding order and precedes in presentation.
    package var isRASL = false
    /// Whether `HEVCAccessUnitReader.configuration` is another one from this picture on; true at the first picture.
    package var configurationChanged = false
    /// The label of its picture; nil where it has none or the reader was not asked for it.
    package var timecode: Timecode?
    /// Captions that its picture carries, where the reader was asked for them.
    package var captions = CaptionServices()
    /// What of `payload` may be encrypted, covering it wholly; empty where the reader was not asked for it.
    package var subsamples: [Subsample] = []

    /// Whether decoding may start here.
    ///
    /// Behind a CRA picture a decoder that starts with it drops the RASL pictures, which lie ahead of it in presentation
    /// (ISO/IEC 23008-2 § 8.1.3); all others decode rightly. Encoders with open groups of pictures, as x265 makes them
    /// unless told otherwise, send nothing better after their first picture.
    package var isSync: Bool { isIDR || isCRA || isBLA }
}
