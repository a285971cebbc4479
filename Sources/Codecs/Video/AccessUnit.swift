package import MediaCore
import NIOCore

/// An access unit of video as a sample of a track stores it, with what its headers say of it.
package struct AccessUnit: Sendable {
    /// The bytes that the sample stores.
    ///
    /// H.264 and HEVC: NAL units behind four-byte lengths, without parameter sets, delimiters and filler data. AV1: OBUs
    /// with size fields, without temporal delimiters, redundant frame headers, tile lists and padding.
    var payload: ByteBuffer
    /// Bytes of the packet that were read: behind them stands another access unit.
    package var packetBytes = 0
    /// True if it has slices or frames: without, it is no sample, and may be left out.
    var hasPicture = false
    /// True if decoding may start here.
    ///
    /// H.264: an IDR picture. AV1: a shown key frame behind a sequence header. HEVC: an IDR, CRA or BLA picture. A
    /// decoder that starts with a CRA picture drops its RASL pictures, which are presented before it (ISO/IEC 23008-2 §
    /// 8.1.3), and decodes all others correctly. Encoders with open groups of pictures, as x265 makes them unless told
    /// otherwise, send nothing better after their first picture.
    var isSync = false
    /// True if a recovery point message says that decoding may start here if need be (H.264 and HEVC).
    ///
    /// Encoders with open groups of pictures send it with an I picture, and may never send another IDR picture.
    var isRecoveryPoint = false
    /// True if that message says that pictures are right only some pictures later: there is no I picture, and the
    /// encoder refreshes the picture bit by bit.
    var recoversGradually = false
    /// True if it needs pictures from before the sync sample that it follows in decoding order and precedes in
    /// presentation (HEVC: a RASL picture).
    var isSkippedLeading = false
    /// The field that it is, if the other field is another access unit (H.264); nil for a whole picture.
    package var field: FieldPlace?
    /// True if the reader's configuration is another one from this picture on; true at the first picture.
    var configurationChanged = false
    /// The label of its picture; nil if it has none or the reader was not asked for it.
    var timecode: Timecode?
    /// The captions of its picture, if the reader reads captions.
    package var captions: [CaptionTriplet] = []
    /// The parts of `payload` that may be encrypted and those that may not, covering it wholly; empty if the reader
    /// was not asked for them.
    var subsamples: [Subsample] = []

    /// Gives back the room that was taken for a packet that holds more than this access unit.
    mutating func releaseSpareRoom() {
        payload.shrinkBufferCapacity(to: payload.readableBytes)
    }
}

extension AccessUnit {
    /// Notes the recovery point of one of its NAL units; nil if it has none.
    mutating func recoveryRead(_ point: RecoveryPoint?) {
        isRecoveryPoint = point != nil
        recoversGradually = point == .gradual
    }
}
