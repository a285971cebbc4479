import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Presentation
import Segmenting

/// Writes fragmented MP4, with encrypted samples if it has a key.
struct FragmentMuxer: SegmentMuxer {
    private let kind: MediaKind
    private let language: String?
    private let isCounterMode: Bool
    private let name: String
    private var current: Current?

    /// The values that stay the same from segment to segment.
    private struct Current {
        var configuration: CodecConfiguration
        var timescale: Int64
        var key: PeriodKey?
        var headers: [ProtectionSystemHeader]
        var initialization: PublishedSegment.InitializationSection
        var cipher: FragmentCipher?
    }

    /// - Parameters:
    ///   - kind: The kind of its track.
    ///   - language: The language in the track header (BCP 47).
    ///   - isCounterMode: True if samples are encrypted by scheme `cenc`, and not by `cbcs`.
    ///   - name: The rendition's, for no two of a channel to share an initialization vector.
    init(kind: MediaKind, language: String?, isCounterMode: Bool, name: String) {
        self.kind = kind
        self.language = language
        self.isCounterMode = isCounterMode
        self.name = name
    }

    mutating func mux(
        _ contents: SegmentContents,
        key: PeriodKey?,
        into room: consuming ByteBuffer = ByteBuffer()
    ) throws -> MuxedSegment {
        try mux(contents, part: nil, key, into: room)
    }

    mutating func mux(_ part: ChannelEngine.PartDecision, key: PeriodKey?) throws -> MuxedSegment {
        try mux(part.contents, part: part.index, key, into: ByteBuffer())
    }

    private mutating func mux(
        _ contents: SegmentContents,
        part: Int?,
        _ key: PeriodKey?,
        into room: consuming ByteBuffer
    ) throws -> MuxedSegment {
        let cut = contents.cut
        guard let configuration = cut.configuration, cut.cues == nil else { throw SegmentMuxerError.notCarried }
        let current = try prepare(configuration, timescale: cut.timescale, key, contents.protection.headers)
        self.current = current
        var samples = cut.samples.decodedBeforePresentation
        var encryption: MovieFragment.Encryption?
        var vectors: [Bytes16] = []
        switch current.cipher {
        case .pattern?: encryption = .constantIV
        case .counter?:
            samples = samples.map(\.protectingWholeBlocks)
            vectors = try self.vectors(of: samples, in: cut, part, current.key)
            encryption = .vectors(vectors)
        case nil: break
        }
        let fragment = MovieFragment(
            sequenceNumber: Self.sequenceNumber(of: cut.number, part),
            baseMediaDecodeTime: UInt64(clamping: cut.decodeTime),
            samples: samples,
            encryption: encryption,
            startsSegment: part ?? 0 == 0,
            messages: (contents.tags ?? []).map { $0.message(in: cut) } + contents.sections.map { $0.message(in: cut) }
        )
        var (bytes, offset) = fragment.encode(into: room)
        try current.cipher?.encrypt(&bytes, samples, at: offset, vectors: vectors)
        return MuxedSegment(
            bytes: bytes,
            initialization: current.initialization,
            iFrame: cut.startsWithPicture ? 0..<offset + samples[0].payload.readableBytes : nil
        )
    }

    /// The number of a fragment, which rises (ISO/IEC 14496-12 § 8.8.5): the slot's, so that nothing is remembered.
    private static func sequenceNumber(of slot: MediaSequenceNumber, _ part: Int?) -> UInt32 {
        guard let part else { return UInt32(truncatingIfNeeded: slot.value) }
        // A slot of 45 s, the longest, has 265 parts of 0.2 s, the shortest.
        return UInt32(truncatingIfNeeded: slot.value << 9 &+ Int64(part))
    }

    /// The initialization vectors of the samples of a segment, or of one part of it, under `cenc`.
    ///
    /// - Throws: ``SegmentMuxerError/tooManySamples``, or ``OpenSSLError``.
    private func vectors(
        of samples: [FragmentSample],
        in cut: CutSegment,
        _ part: Int?,
        _ key: PeriodKey?
    ) throws -> [Bytes16] {
        guard let key else { return [] }
        let vectors = try CounterModeVectors(
            slot: cut.number,
            part: part,
            rendition: name,
            samples: samples.map(\.payload),
            key: key.contentKey
        )
        guard let found = vectors.vectors(protectedByteCounts: samples.map(\.protectedByteCount)) else {
            throw SegmentMuxerError.tooManySamples
        }
        return found
    }

    private func prepare(
        _ configuration: CodecConfiguration,
        timescale: Int64,
        _ key: PeriodKey?,
        _ headers: [ProtectionSystemHeader]
    ) throws -> Current {
        if let current, current.configuration == configuration, current.timescale == timescale, current.key == key,
            current.headers == headers
        {
            return current
        }
        var section = ISOBMFF.InitializationSection(
            configuration: configuration,
            timescale: UInt32(clamping: timescale),
            language: language
        )
        var cipher: FragmentCipher?
        if let key {
            let pattern: TrackEncryption.Pattern =
                switch kind {
                case .video: .video
                case .audio, .text: .wholeSample
                }
            section.encryption = TrackEncryption(
                keyID: key.keyID,
                scheme: isCounterMode ? .cenc : .cbcs(constantIV: key.constantIV, pattern: pattern),
                headers: headers
            )
            cipher = isCounterMode ? try .counter(for: key) : try .pattern(pattern, for: key)
        }
        return Current(
            configuration: configuration,
            timescale: timescale,
            key: key,
            headers: headers,
            initialization: PublishedSegment.InitializationSection(bytes: section.encode()),
            cipher: cipher
        )
    }
}

extension TimedTag {
    /// The tag on the media timeline of the samples that it goes with (AOM, Carriage of ID3 Timed Metadata in CMAF).
    fileprivate func message(in cut: CutSegment) -> EventMessage {
        EventMessage("https://aomedia.org/emsg/ID3", utc, after: delay(in: cut), bytes, in: cut)
    }
}

extension TimedSection {
    /// The section on the media timeline of the samples that it goes with (ANSI/SCTE 214-3 § 7.2.2).
    fileprivate func message(in cut: CutSegment) -> EventMessage {
        var message = EventMessage(
            "urn:scte:scte35:2013:bin",
            utc,
            after: utc - cut.start.utc,
            ByteBuffer(bytes: bytes),
            in: cut
        )
        message.duration = duration.map { UInt32(clamping: $0.value(timescale: cut.timescale)) }
        return message
    }
}

extension EventMessage {
    /// - Parameters:
    ///   - scheme: The scheme of the message.
    ///   - utc: The time when it was due.
    ///   - delay: The time from the start of the segment to the event; negative if it was before.
    ///   - bytes: The bytes of the message.
    ///   - cut: The segment that has it.
    fileprivate init(
        _ scheme: String,
        _ utc: MediaTime,
        after delay: MediaTime,
        _ bytes: ByteBuffer,
        in cut: CutSegment
    ) {
        let elapsed = delay.value(timescale: cut.timescale)
        var identity = ByteBuffer(integer: utc.ticks)
        identity.writeImmutableBuffer(bytes)
        self.init(
            scheme: scheme,
            presentationTime: UInt64(clamping: cut.decodeTime + elapsed),
            timescale: UInt32(clamping: cut.timescale),
            // The same in every rendition, because a player loads several at once.
            id: UInt32(truncatingIfNeeded: ContentHash(of: identity).value),
            message: bytes
        )
    }
}

extension FragmentSample {
    /// The number of encrypted bytes: the whole payload if it has no subsamples.
    fileprivate var protectedByteCount: Int {
        subsamples.isEmpty ? payload.readableBytes : subsamples.reduce(0) { $0 + Int($1.protectedBytes) }
    }

    /// The same sample as `cenc` protects it.
    fileprivate var protectingWholeBlocks: FragmentSample {
        FragmentSample(
            duration: duration,
            compositionOffset: compositionOffset,
            isSync: isSync,
            payload: payload,
            subsamples: subsamples.protectingWholeBlocks
        )
    }
}

extension SegmentProtection {
    /// The headers for key systems, each once: two may read the same.
    fileprivate var headers: [ProtectionSystemHeader] {
        guard case .keys(let references) = self else { return [] }
        return references.compactMap(\.header).reduce(into: []) { headers, header in
            if !headers.contains(header) { headers.append(header) }
        }
    }
}

extension CutSegment {
    /// True if its first sample is a picture that needs no other.
    var startsWithPicture: Bool {
        configuration?.kind == .video && samples.first?.isSync == true && !recoversGradually
    }

    /// True if all of its samples can be decoded without those before it.
    var isIndependent: Bool {
        cues != nil || samples.first?.isSync == true && skippedLeading.isEmpty && !recoversGradually
    }
}

extension PublishedSegment.InitializationSection {
    /// Names an initialization section by its content, so that a URL never changes its meaning: not with a new key,
    /// not with a new configuration, not after a restart.
    init(bytes: ByteBuffer) {
        self.init(name: "init-\(ContentHash.everyByte(of: bytes)).mp4", bytes: bytes)
    }
}
