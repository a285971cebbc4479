package import NIOCore

/// One access unit in the form of a file format.
///
/// H.264 and HEVC: NAL units behind four-byte lengths, without parameter sets; AV1: the OBUs of a temporal unit with size
/// fields; audio: a bare frame; text: a cue.
package struct Sample: Sendable {
    /// The time to decode it, on the channel's timeline.
    package var decodeTime: MediaTime
    /// The time to present it, on the channel's timeline.
    package var presentationTime: MediaTime
    /// True if decoding may start here (H.264: an IDR picture; audio: always).
    package var isSync: Bool
    /// True if decoding may start here if need be, with the pictures that are presented from here on (H.264 and HEVC: a
    /// picture with a recovery point message).
    package var isRecoveryPoint: Bool
    /// True if these pictures are right only some pictures later, because the encoder refreshes them bit by bit.
    package var recoversGradually: Bool
    /// True if it needs pictures from before the sync sample that it follows, and cannot be decoded where decoding
    /// started there (HEVC: a RASL picture).
    package var isSkippedLeading: Bool
    /// The field of a frame that it is; nil for all of a picture.
    package var field: FieldPlace?
    /// PCM samples of audio that it decodes to; 0 for as many as usual with its codec, and for video.
    package var audioLength: Int
    /// The duration of a cue of text; nil while its end is unknown, and for other kinds.
    package var cueDuration: MediaTime?
    package var payload: ByteBuffer
    /// The parts of `payload` that may be encrypted and those that may not, in order and covering it wholly; empty
    /// means all of it.
    package var subsamples: [Subsample]

    package init(
        decodeTime: MediaTime,
        presentationTime: MediaTime,
        isSync: Bool,
        isRecoveryPoint: Bool = false,
        recoversGradually: Bool = false,
        isSkippedLeading: Bool = false,
        field: FieldPlace? = nil,
        audioLength: Int = 0,
        cueDuration: MediaTime? = nil,
        payload: ByteBuffer,
        subsamples: [Subsample] = []
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.isSync = isSync
        self.isRecoveryPoint = isRecoveryPoint
        self.recoversGradually = recoversGradually
        self.isSkippedLeading = isSkippedLeading
        self.field = field
        self.audioLength = audioLength
        self.cueDuration = cueDuration
        self.payload = payload
        self.subsamples = subsamples
    }
}

extension Sample {
    /// Makes a first field the whole frame.
    ///
    /// - Parameter field: The second one.
    package mutating func join(_ field: Sample) {
        payload.writeImmutableBuffer(field.payload)
        subsamples += field.subsamples
        self.field = nil
    }
}
