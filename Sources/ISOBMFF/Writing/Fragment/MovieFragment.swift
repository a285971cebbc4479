package import MediaCore
package import NIOCore

/// Samples of one track as a movie fragment: `moof` and `mdat`, preceded by `styp` at the start of a segment, and by
/// `emsg`.
///
/// All sizes are known before the first byte is written, so the fragment is allocated once and every payload copied
/// once. Fragments that follow one another are a segment or a part of one.
package struct MovieFragment: Sendable {
    /// The number in `mfhd`, which rises from fragment to fragment.
    var sequenceNumber: UInt32
    /// The time when the first sample is decoded, in ticks of the track's timescale.
    var baseMediaDecodeTime: UInt64
    /// The samples' encryption for `senc`; nil if they are clear.
    var encryption: Encryption?
    /// True if a segment starts here.
    var startsSegment: Bool
    /// Messages that go with the samples, before them (ISO/IEC 23000-19 § 7.4.5).
    var messages: [EventMessage]
    private let samples: [FragmentSample]

    /// The encryption of a fragment's samples, except for what their track signals for all.
    package enum Encryption: Hashable, Sendable {
        /// The vector of `tenc`, scheme `cbcs`.
        case constantIV
        /// Scheme `cenc`: an IV for each sample.
        case vectors([Bytes16])
    }

    /// Takes samples.
    ///
    /// - Precondition: `samples` is not empty, and the payloads have fewer than 2^31 bytes together.
    package init(
        sequenceNumber: UInt32,
        baseMediaDecodeTime: UInt64,
        samples: [FragmentSample],
        encryption: Encryption? = nil,
        startsSegment: Bool = false,
        messages: [EventMessage] = []
    ) {
        precondition(!samples.isEmpty, "a movie fragment has samples")
        self.sequenceNumber = sequenceNumber
        self.baseMediaDecodeTime = baseMediaDecodeTime
        self.samples = samples
        self.encryption = encryption
        self.startsSegment = startsSegment
        self.messages = messages
    }

    /// Writes the fragment.
    ///
    /// - Parameter room: A buffer whose memory is written over, if nobody else has it and it is large enough.
    /// - Returns: The bytes, and how many of them come before the first sample's payload. The payloads follow each
    ///   other in order to the end. A caller with the only reference can encrypt them in place, and a player of key
    ///   frames alone loads no more than the first one.
    package func encode(
        into room: consuming ByteBuffer = ByteBuffer()
    ) -> (bytes: ByteBuffer, payloadOffset: Int) {
        let segmentType: SegmentTypeBox? = startsSegment ? .cmafSegment : nil
        let fragment = MovieFragmentBox(
            header: MovieFragmentHeaderBox(sequenceNumber: sequenceNumber),
            track: trackFragment
        )
        let mediaData = MediaDataBoxHeader(payloadByteCount: payloadByteCount)
        let messagesByteCount = messages.reduce(0) { $0 + $1.byteCount }
        let payloadOffset =
            (segmentType?.byteCount ?? 0) + messagesByteCount + fragment.byteCount + MediaDataBoxHeader.byteCount

        let byteCount = payloadOffset + mediaData.payloadByteCount
        room.clear(minimumCapacity: byteCount)
        room.writeWithOutputRawSpan(minimumWritableBytes: byteCount) { span in
            segmentType?.encode(into: &span)
            for message in messages { message.encode(into: &span) }
            fragment.encode(into: &span)
            mediaData.encode(into: &span)
            let samples = samples.span
            for index in samples.indices { span.write(samples[index].payload) }
        }
        return (room, payloadOffset)
    }

    private var payloadByteCount: Int {
        let samples = samples.span
        return samples.indices.reduce(0) { $0 + samples[$1].payload.readableBytes }
    }

    private var trackFragment: TrackFragmentBox {
        let defaults = SampleDefaults(samples)
        return TrackFragmentBox(
            header: TrackFragmentHeaderBox(trackID: InitializationSection.trackID, defaults: defaults),
            decodeTime: TrackFragmentDecodeTimeBox(baseMediaDecodeTime: baseMediaDecodeTime),
            run: TrackRunBox(samples: samples, defaults: defaults),
            encryption: encryption.map { SampleEncryptionBoxes(samples, encryption: $0) }
        )
    }
}

extension OutputRawSpan {
    /// Copies the readable bytes at once; through `ByteBuffer`'s own writes, checks cost more than a small copy.
    fileprivate mutating func write(_ payload: ByteBuffer) {
        payload.withUnsafeReadableBytes { source in
            withUnsafeMutableBytes { destination, initializedCount in
                UnsafeMutableRawBufferPointer(rebasing: destination[initializedCount...]).copyMemory(from: source)
                initializedCount += source.count
            }
        }
    }
}
