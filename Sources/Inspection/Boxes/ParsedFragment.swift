package import MediaCore
package import NIOCore

/// One track of a movie fragment: a `traf` of a `moof`, and the samples in the `mdat` that follows.
package struct ParsedFragment: Hashable, Sendable {
    package let sequenceNumber: UInt32
    package let trackID: UInt32
    /// Ticks of the track's timescale.
    package let baseMediaDecodeTime: UInt64
    package let samples: [ParsedSample]
    /// The ranges of the samples' auxiliary information by `saiz` and `saio`, one a sample; empty without them.
    let auxiliaryInformation: [Range<Int>]
    /// The offset of `moof`, in bytes from the start of the file.
    package let offset: Int

    /// The decode time behind the last sample: where the next fragment must start.
    package var endDecodeTime: UInt64 {
        samples.last.map { $0.decodeTime &+ UInt64($0.duration) } ?? baseMediaDecodeTime
    }

    /// The most samples of a fragment, more than twenty seconds of PCM have.
    private static let mostSamples = 1 << 20

    /// Reads the fragments of a segment, a part or a whole file.
    ///
    /// - Parameters:
    ///   - bytes: Boxes; those that are not of fragments are passed over.
    ///   - initialization: For the defaults of `trex` and the size of IVs; without it, both are zero.
    /// - Returns: A parsed fragment for every track of every fragment, in order.
    /// - Throws: `MalformedBoxError` if a fragment cannot be read, has no `tfdt`, or has samples outside its
    ///   `mdat`.
    package static func fragments(
        in bytes: ByteBuffer,
        initialization: ParsedInitialization? = nil
    ) throws(MalformedBoxError) -> [ParsedFragment] {
        let boxes = try ParsedBox.boxes(in: bytes)
        // Samples without fields or payload take no bytes: their number is bounded by that of the file's bytes, and by what
        // a segment can have.
        var sampleBudget = min(bytes.readableBytes, mostSamples)
        var fragments: [ParsedFragment] = []
        for (index, box) in boxes.enumerated() where box.type == "moof" {
            guard boxes.indices.contains(index + 1), boxes[index + 1].type == "mdat" else {
                throw MalformedBoxError(.missing("mdat"), at: box.range.upperBound)
            }
            var header = try box.child("mfhd").content
            try header.skip(4)
            let sequenceNumber = try header.read(UInt32.self)
            var context = TrackFragmentParser.Context(
                fragmentOffset: box.range.lowerBound,
                mediaData: boxes[index + 1].contentRange,
                nextDataOffset: box.range.lowerBound,
                sampleBudget: sampleBudget
            )
            for track in try box.children() where track.type == "traf" {
                let parser = try TrackFragmentParser(track, initialization: initialization, context: &context)
                fragments.append(
                    ParsedFragment(
                        sequenceNumber: sequenceNumber,
                        trackID: parser.trackID,
                        baseMediaDecodeTime: parser.baseMediaDecodeTime,
                        samples: parser.samples,
                        auxiliaryInformation: parser.auxiliaryInformation,
                        offset: box.range.lowerBound
                    )
                )
            }
            sampleBudget = context.sampleBudget
        }
        return fragments
    }
}

/// A sample found in a fragment.
package struct ParsedSample: Hashable, Sendable {
    /// Ticks of the track's timescale.
    package let decodeTime: UInt64
    package let duration: UInt32
    /// Ticks from decode time to presentation time.
    package let compositionOffset: Int64
    let flags: UInt32
    /// The range of the payload, in bytes from the start of the file.
    package let range: Range<Int>
    /// The IV of `senc`; empty if it is constant.
    package internal(set) var initializationVector: [UInt8] = []
    /// The subsamples in `senc`.
    package internal(set) var subsamples: [Subsample] = []

    /// Bytes of the payload.
    package var size: Int { range.count }
    /// True if sample_is_non_sync_sample is not set.
    package var isSync: Bool { flags & 0x0001_0000 == 0 }
}
