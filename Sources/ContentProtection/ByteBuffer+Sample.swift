import MediaCore
import NIOCore

extension ByteBuffer {
    /// Gives access to a sample somewhere in the buffer.
    ///
    /// - Parameters:
    ///   - index: Index of the sample's first byte, as in `getInteger(at:)`.
    ///   - length: Bytes of the sample.
    ///   - body: Works on the sample's bytes in place.
    /// - Throws: ``SampleEncryptionError/outsideBuffer(index:length:)`` if the sample is not within the readable bytes,
    ///   or what `body` throws.
    mutating func withUnsafeMutableSample(
        at index: Int,
        length: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(SampleEncryptionError) -> Void
    ) throws(SampleEncryptionError) {
        let start = index - readerIndex
        guard start >= 0, length >= 0, length <= readableBytes - start else {
            throw .outsideBuffer(index: index, length: length)
        }
        try unsafe withUnsafeMutableReadableBytes { bytes throws(SampleEncryptionError) in
            try unsafe body(.init(rebasing: bytes[start..<(start + length)]))
        }
    }

    /// Visits the protected ranges of a sample in order.
    ///
    /// - Parameters:
    ///   - index: Index of the sample's first byte, as in `getInteger(at:)`.
    ///   - length: Bytes of the sample.
    ///   - subsamples: They cover the sample; if there are none, all of it is protected.
    ///   - body: Works on a range in place.
    /// - Throws: ``SampleEncryptionError`` if the sample is not within the readable bytes or `subsamples` have another
    ///   length than the sample, before anything is visited, or what `body` throws.
    mutating func forEachProtectedRange(
        at index: Int,
        length: Int,
        subsamples: [Subsample],
        _ body: (UnsafeMutableRawBufferPointer) throws(SampleEncryptionError) -> Void
    ) throws(SampleEncryptionError) {
        let covered = subsamples.reduce(0) { $0 + Int($1.clearBytes) + Int($1.protectedBytes) }
        try unsafe withUnsafeMutableSample(at: index, length: length) { sample throws(SampleEncryptionError) in
            guard !subsamples.isEmpty else { return try unsafe body(sample) }
            guard covered == length else { throw .subsamplesMismatch(covered: covered, length: length) }
            var position = 0
            for subsample in subsamples {
                position += Int(subsample.clearBytes)
                let end = position + Int(subsample.protectedBytes)
                if end > position { try unsafe body(.init(rebasing: sample[position..<end])) }
                position = end
            }
        }
    }
}
