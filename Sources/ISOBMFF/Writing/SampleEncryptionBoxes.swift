import MediaCore

/// What says how the samples of a fragment are encrypted, last in `TrackFragmentBox`.
///
/// Where every sample is encrypted wholly, with the track's constant IV, there is nothing to say of any of them
/// (ISO/IEC 23001-7 § 7.1); `senc` is written all the same, for AirPlay receivers demand it.
struct SampleEncryptionBoxes {
    var sizes: SampleAuxiliaryInformationSizesBox?
    var offsets: SampleAuxiliaryInformationOffsetsBox?
    var samples: SampleEncryptionBox

    init(_ fragmentSamples: [FragmentSample]) {
        samples = SampleEncryptionBox(samples: fragmentSamples)
        guard samples.usesSubsamples else { return }
        // A size has eight bits: 42 subsamples. Readers of longer entries have `senc` to go by.
        sizes = SampleAuxiliaryInformationSizesBox(samples: fragmentSamples)
        offsets = sizes.map { _ in SampleAuxiliaryInformationOffsetsBox() }
    }

    var byteCount: Int { (sizes?.byteCount ?? 0) + (offsets?.byteCount ?? 0) + samples.byteCount }

    func encode(into span: inout OutputRawSpan) {
        sizes?.encode(into: &span)
        offsets?.encode(into: &span)
        samples.encode(into: &span)
    }
}

/// Sample auxiliary information sizes (saiz), in `TrackFragmentBox` (ISO/IEC 14496-12 § 8.7.8).
struct SampleAuxiliaryInformationSizesBox: FullBox {
    static let type: FourCC = "saiz"

    private let samples: [FragmentSample]
    /// Bytes of every sample's entry in `senc`; 0 where they differ.
    private let defaultSize: UInt8

    /// Measures the entries.
    ///
    /// - Parameter samples: At least one; nil if the entry of one of them is longer than 255 bytes.
    init?(samples: [FragmentSample]) {
        let span = samples.span
        let first = span[0].auxiliaryByteCount
        var (longest, sameSize) = (0, true)
        for index in span.indices {
            longest = max(longest, span[index].auxiliaryByteCount)
            sameSize = sameSize && span[index].auxiliaryByteCount == first
        }
        guard longest <= UInt8.max else { return nil }
        self.samples = samples
        defaultSize = sameSize ? UInt8(first) : 0
    }

    var fieldsByteCount: Int { 5 + (defaultSize == 0 ? samples.count : 0) }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(defaultSize)
        span.writeInteger(UInt32(samples.count))
        guard defaultSize == 0 else { return }
        let samples = samples.span
        for index in samples.indices { span.writeInteger(UInt8(samples[index].auxiliaryByteCount)) }
    }
}

/// Sample auxiliary information offsets (saio), in `TrackFragmentBox` (ISO/IEC 14496-12 § 8.7.9).
struct SampleAuxiliaryInformationOffsetsBox: FullBox {
    static let type: FourCC = "saio"

    /// Bytes from the start of `moof` to the first entry of `senc`.
    var offset: UInt32 = 0

    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(1))  // entry_count
        span.writeInteger(offset)
    }
}

/// Sample encryption (senc), in `TrackFragmentBox` (ISO/IEC 23001-7 § 7.2).
struct SampleEncryptionBox: FullBox {
    static let type: FourCC = "senc"

    /// Bytes of all entries.
    private let entriesByteCount: Int
    private let samples: [FragmentSample]
    /// Whether any sample has a clear part, so that all have entries.
    let usesSubsamples: Bool

    init(samples: [FragmentSample]) {
        self.samples = samples
        let span = samples.span
        var (usesSubsamples, byteCount) = (false, 0)
        for index in span.indices {
            usesSubsamples = usesSubsamples || !span[index].subsamples.isEmpty
            byteCount += span[index].auxiliaryByteCount
        }
        self.usesSubsamples = usesSubsamples
        entriesByteCount = usesSubsamples ? byteCount : 0
    }

    /// Bytes from the start of the box to the first entry.
    var entriesOffset: Int { byteCount - entriesByteCount }

    /// UseSubSampleEncryption.
    var flags: UInt32 { usesSubsamples ? 0x000002 : 0 }
    var fieldsByteCount: Int { 4 + entriesByteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(samples.count))
        guard usesSubsamples else { return }
        let samples = samples.span
        for index in samples.indices { samples[index].encodeAuxiliaryInformation(into: &span) }
    }
}

extension FragmentSample {
    /// Bytes of a count of subsamples and the subsamples.
    fileprivate var auxiliaryByteCount: Int { 2 + 6 * max(1, subsamples.count) }

    fileprivate func encodeAuxiliaryInformation(into span: inout OutputRawSpan) {
        span.writeInteger(UInt16(max(1, subsamples.count)))
        if subsamples.isEmpty {
            // Encrypted wholly among samples that are not: one subsample without clear bytes.
            span.writeInteger(UInt16(0))
            span.writeInteger(size)
        }
        let subsamples = subsamples.span
        for index in subsamples.indices {
            span.writeInteger(subsamples[index].clearBytes)
            span.writeInteger(subsamples[index].protectedBytes)
        }
    }
}
