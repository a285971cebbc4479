import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Presentation

/// Makes one rendition's segments: muxes what was cut, encrypts it, and names the initialization section and the key.
///
/// Bytes depend on the cut and the crypto period alone, so two packagers fed the same stream write the same.
final class RenditionPackager {
    private let kind: TrackKind
    private let language: String?
    private let encryption: ChannelEncryption
    private var current: Current?

    /// What stays the same from segment to segment.
    fileprivate struct Current {
        var configuration: CodecConfiguration
        var timescale: Int64
        var periodKey: PeriodKey?
        var initialization: PublishedSegment.InitializationSection
        var cipher: Cipher?
        /// Whether `senc` and `tenc` say so; whole segments are encrypted around them.
        var isSampleEncrypted = false
    }

    /// The keyed cipher of a crypto period; a class because an OpenSSL context cannot be copied.
    fileprivate final class Cipher {
        var segments: SegmentEncryptor?
        var samples: SampleEncryptor?

        init(segments: consuming SegmentEncryptor) {
            self.segments = consume segments
        }

        init(samples: consuming SampleEncryptor) {
            self.samples = consume samples
        }
    }

    init(kind: TrackKind, language: String?, encryption: ChannelEncryption) {
        self.kind = kind
        self.language = language
        self.encryption = encryption
    }

    /// Makes the segment, or the gap.
    ///
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` where OpenSSL fails.
    func package(_ cut: CutSegment) throws -> PublishedSegment {
        guard let configuration = cut.configuration else { return gap(cut) }
        let current = try prepare(configuration, timescale: cut.timescale, number: cut.number)
        self.current = current
        let fragment = MovieFragment(
            // ISO/IEC 14496-12 § 8.8.5: rising; the slot's number needs no memory.
            sequenceNumber: UInt32(truncatingIfNeeded: cut.number.value),
            baseMediaDecodeTime: UInt64(clamping: cut.decodeTime),
            samples: cut.samples,
            isEncrypted: current.isSampleEncrypted,
            startsSegment: true
        )
        var (bytes, offset) = fragment.encode()
        if let cipher = current.cipher, let key = current.periodKey {
            try cipher.encrypt(&bytes, samples: cut.samples, payloadOffset: offset, iv: key.constantIV)
        }
        return PublishedSegment(
            programDateTime: cut.start.utc,
            duration: SegmentDuration(value: cut.duration, timescale: cut.timescale),
            content: .media(bytes),
            initialization: current.initialization,
            key: current.periodKey.flatMap(encryption.playlistKey),
            filler: cut.filler.map { $0 == .slate ? .slate : .hold },
            isPartial: !cut.isWhole && cut.filler == nil,
            selection: cut.selection
        )
    }

    /// A segment without media, key and initialization section: those before it stay in force.
    func gap(_ cut: CutSegment) -> PublishedSegment {
        PublishedSegment(
            programDateTime: cut.start.utc,
            duration: SegmentDuration(value: cut.duration, timescale: cut.timescale),
            content: .gap,
            selection: cut.selection
        )
    }

    private func prepare(
        _ configuration: CodecConfiguration,
        timescale: Int64,
        number: MediaSequenceNumber
    ) throws -> Current {
        let periodKey = try encryption.schedule.map { try $0.keys(for: $0.period(of: number), kind) }
        if let current, current.configuration == configuration, current.timescale == timescale,
            current.periodKey == periodKey
        {
            return current
        }
        let pattern: TrackEncryption.Pattern = kind == .video ? .video : .wholeSample
        var section = ISOBMFF.InitializationSection(
            configuration: configuration,
            timescale: UInt32(clamping: timescale),
            language: language
        )
        let fingerprint = Self.name(of: section.encode())
        var cipher: Cipher?
        var bytes: ByteBuffer
        switch (encryption, periodKey) {
        case (.sampleAES, let key?):
            section.encryption = TrackEncryption(keyID: key.keyID, constantIV: key.constantIV, pattern: pattern)
            bytes = section.encode()
            cipher = Cipher(
                samples: try SampleEncryptor(key: key.contentKey, constantIV: key.constantIV, pattern: pattern)
            )
        case (.aes128, let key?):
            // RFC 8216bis § 4.4.4.4: the key covers the initialization section that comes after it.
            var encryptor = try SegmentEncryptor(key: key.contentKey)
            bytes = try encryptor.encrypt(section.encode(), iv: key.constantIV)
            cipher = Cipher(segments: encryptor)
        default:
            bytes = section.encode()
        }
        return Current(
            configuration: configuration,
            timescale: timescale,
            periodKey: periodKey,
            initialization: PublishedSegment.InitializationSection(
                name: Self.name(of: bytes),
                bytes: bytes,
                fingerprint: fingerprint
            ),
            cipher: cipher,
            isSampleEncrypted: section.encryption != nil
        )
    }

    /// Names an initialization section by its content, so that a URL never changes its meaning: not with a new key,
    /// not with a new configuration, not after a restart.
    private static func name(of bytes: ByteBuffer) -> String {
        // FNV-1a, 64 bits.
        let hash = bytes.readableBytesView.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return "init-" + String(repeating: "0", count: 16 - digits.count) + digits + ".mp4"
    }
}

extension RenditionPackager.Cipher {
    /// Encrypts a segment as a whole, or its samples in place.
    fileprivate func encrypt(
        _ bytes: inout ByteBuffer,
        samples list: [FragmentSample],
        payloadOffset: Int,
        iv: Bytes16
    ) throws {
        if let encrypted = try segments?.encrypt(bytes, iv: iv) { bytes = encrypted }
        var position = bytes.readerIndex + payloadOffset
        for sample in list {
            let length = sample.payload.readableBytes
            try samples?.encrypt(&bytes, at: position, length: length, subsamples: sample.subsamples)
            position += length
        }
    }
}

extension ChannelEncryption {
    /// What EXT-X-KEY says of a crypto period's key.
    func playlistKey(_ key: PeriodKey) -> EncryptionKey? {
        let method: EncryptionKey.Method
        switch self {
        case .none: return nil
        case .aes128: method = .aes128
        case .sampleAES: method = .sampleAES
        }
        // Always with IV: without, it would be the media sequence number, and `tenc` says otherwise.
        return EncryptionKey(method: method, uri: "keys/\(key.keyID)", initializationVector: key.constantIV)
    }
}
