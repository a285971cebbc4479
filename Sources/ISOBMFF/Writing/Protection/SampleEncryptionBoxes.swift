import MediaCore

/// The boxes about the encryption of a fragment's samples, last in `TrackFragmentBox`.
///
/// Samples that are all encrypted wholly, with the track's constant IV, need no entries (ISO/IEC 23001-7 § 7.1). `senc`
/// is written all the same, because AirPlay receivers demand it.
struct SampleEncryptionBoxes {
    var sizes: SampleAuxiliaryInformationSizesBox?
    var offsets: SampleAuxiliaryInformationOffsetsBox?
    var samples: SampleEncryptionBox

    init(_ fragmentSamples: [FragmentSample], encryption: MovieFragment.Encryption) {
        samples = SampleEncryptionBox(samples: fragmentSamples, encryption: encryption)
        // A size has eight bits: 42 subsamples, 39 behind an IV. Readers of longer entries have `senc` to go by.
        sizes = SampleAuxiliaryInformationSizesBox(entries: samples)
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

    private let entries: SampleEncryptionBox
    /// Bytes of every sample's entry in `senc`; 0 if they differ.
    private let defaultSize: UInt8

    /// Measures the entries.
    ///
    /// - Parameter entries: The entries of at least one sample; nil if there are none, or one of them is longer than
    ///   255 bytes.
    init?(entries: SampleEncryptionBox) {
        let samples = entries.samples.span
        let first = entries.byteCount(ofEntryFor: samples[0])
        var (longest, sameSize) = (0, true)
        for index in samples.indices {
            let byteCount = entries.byteCount(ofEntryFor: samples[index])
            longest = max(longest, byteCount)
            sameSize = sameSize && byteCount == first
        }
        guard 1...Int(UInt8.max) ~= longest else { return nil }
        self.entries = entries
        defaultSize = sameSize ? UInt8(first) : 0
    }

    var fieldsByteCount: Int { 5 + (defaultSize == 0 ? entries.samples.count : 0) }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(defaultSize)
        span.writeInteger(UInt32(entries.samples.count))
        guard defaultSize == 0 else { return }
        let samples = entries.samples.span
        for index in samples.indices { span.writeInteger(UInt8(entries.byteCount(ofEntryFor: samples[index]))) }
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

    /// Bytes of the IV that a sample has for itself: all of the counter of its first block.
    static let vectorByteCount = 16

    let samples: [FragmentSample]
    /// The vector of each sample; nil if all use the one of the track.
    private let vectors: [Bytes16]?
    /// True if any sample has a clear part, so that all list theirs.
    private let usesSubsamples: Bool
    /// Bytes of all entries.
    private let entriesByteCount: Int

    init(samples: [FragmentSample], encryption: MovieFragment.Encryption) {
        self.samples = samples
        vectors = if case .vectors(let vectors) = encryption { vectors } else { nil }
        let span = samples.span
        var (usesSubsamples, subsamplesByteCount) = (false, 0)
        for index in span.indices {
            usesSubsamples = usesSubsamples || !span[index].subsamples.isEmpty
            subsamplesByteCount += span[index].subsamplesByteCount
        }
        self.usesSubsamples = usesSubsamples
        entriesByteCount =
            (vectors == nil ? 0 : Self.vectorByteCount * samples.count)
            + (usesSubsamples ? subsamplesByteCount : 0)
    }

    /// Bytes from the start of the box to the first entry.
    var entriesOffset: Int { byteCount - entriesByteCount }

    /// Bytes of one sample's IV and subsamples; zero if it has neither.
    func byteCount(ofEntryFor sample: borrowing FragmentSample) -> Int {
        (vectors == nil ? 0 : Self.vectorByteCount) + (usesSubsamples ? sample.subsamplesByteCount : 0)
    }

    /// UseSubSampleEncryption.
    var flags: UInt32 { usesSubsamples ? 0x000002 : 0 }
    var fieldsByteCount: Int { 4 + entriesByteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(samples.count))
        guard entriesByteCount > 0 else { return }
        let samples = samples.span
        for index in samples.indices {
            if let vectors { span.write(vectors[index]) }
            if usesSubsamples { samples[index].encodeSubsamples(into: &span) }
        }
    }
}

extension FragmentSample {
    /// Bytes of a count of subsamples and the subsamples.
    fileprivate var subsamplesByteCount: Int { 2 + 6 * max(1, subsamples.count) }

    fileprivate func encodeSubsamples(into span: inout OutputRawSpan) {
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
