import ContentProtection
import MediaCore
import NIOCore
import Playlists
import Rekeying
import Testing

@testable import Assets
@testable import ISOBMFF

/// Recorded media of known contents: slots of two seconds, with 25 pictures a second and audio frames of 1,024 samples.
struct MadeMedia: RecordedMedia {
    /// The start of slot 0.
    static let epoch = MediaTime(seconds: 1_800_000_000)
    static let slot = MediaTime(seconds: 2)
    /// UTC less media time.
    static let shift = MediaTime(seconds: 1_799_990_000)

    enum Protection: Hashable, Sendable { case none, cbcs, cenc, aes128 }

    private(set) var bodies: [String: ByteBuffer] = [:]
    private(set) var video = ClipRendition(id: "video", segments: [])
    private(set) var audio = ClipRendition(id: "audio", segments: [])
    let keys: [KeyID: PeriodKey]
    private let protection: Protection

    static let avc = AVCConfiguration(
        sequenceParameterSets: [[0x67, 0x64, 0x00, 0x1E]],
        pictureParameterSets: [[0x68, 0xEB]],
        profile: 0x64,
        compatibility: 0,
        level: 0x1E,
        picture: PictureFormat(width: 640, height: 360)
    )
    static let aac = AACConfiguration(
        audioSpecificConfig: [0x11, 0x90],
        objectType: 2,
        coreSampleRate: 48_000,
        outputSampleRate: 48_000,
        channels: 2
    )

    /// Makes the media of slots.
    ///
    /// - Parameters:
    ///   - slots: The slots that are there.
    ///   - protection: The encryption.
    ///   - videoGaps: Slots without video.
    /// - Throws: `OpenSSLError` if keys cannot be derived, or the error of encryption.
    init(_ slots: Range<Int>, protection: Protection = .none, videoGaps: Set<Int> = []) throws {
        self.protection = protection
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil)
        let videoKey = try schedule.keys(for: CryptoPeriod(0), .video)
        let audioKey = try schedule.keys(for: CryptoPeriod(0), .audio)
        keys = [videoKey.keyID: videoKey, audioKey.keyID: audioKey]
        for slot in slots {
            let start = Self.epoch + Self.slot * Int64(slot)
            if !videoGaps.contains(slot) {
                video.segments.append(
                    try add("video", .avc(Self.avc), 90_000, slot, start, pictures(of: slot), videoKey)
                )
            }
            // The first audio frame that begins in the slot.
            let frame = (Int64(slot) * 96_000 + 1023) / 1024
            let next = (Int64(slot + 1) * 96_000 + 1023) / 1024
            let frames = (frame..<next).map { sample([1, UInt8($0 >> 8), UInt8($0 & 0xFF)], 1024, 0, true) }
            let heard = Self.epoch + MediaTime(frame * 1024, timescale: 48_000)
            audio.segments.append(try add("audio", .aac(Self.aac), 48_000, slot, heard, frames, audioKey))
        }
    }

    func bytes(at path: String) throws -> ByteBuffer? { bodies[path] }

    var opener: SegmentOpener { SegmentOpener(known: keys) }

    /// The payload of the picture with a number, counted in the order of presentation.
    static func picture(_ number: Int) -> [UInt8] {
        [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] + (0..<200).map { UInt8(($0 + number) & 0xFF) }
    }

    /// Groups of 25 pictures, decoded in the order 0 2 1 4 3 and so on, with the decode clock of the packager: the
    /// first picture is decoded when it is shown.
    private func pictures(of slot: Int) -> [FragmentSample] {
        (0..<2).flatMap { group in
            let base = slot * 50 + group * 25
            let order = [0] + stride(from: 2, through: 24, by: 2).flatMap { [$0, $0 - 1] }
            return order.enumerated().map { index, picture in
                sample(Self.picture(base + picture), 3600, Int32(picture - index) * 3600, index == 0)
            }
        }
    }

    private func sample(_ payload: [UInt8], _ duration: UInt32, _ offset: Int32, _ isSync: Bool) -> FragmentSample {
        let padded = payload + [UInt8](repeating: 9, count: 64)
        // Whole blocks, as scheme cenc wants them.
        let protected = (padded.count - 32) / 16 * 16
        let subsample = Subsample(clearBytes: UInt16(padded.count - protected), protectedBytes: UInt32(protected))
        return FragmentSample(
            duration: duration,
            compositionOffset: offset,
            isSync: isSync,
            payload: ByteBuffer(bytes: padded),
            subsamples: protection == .none || protection == .aes128 ? [] : [subsample]
        )
    }

    private mutating func add(
        _ name: String,
        _ configuration: CodecConfiguration,
        _ timescale: UInt32,
        _ slot: Int,
        _ start: MediaTime,
        _ samples: [FragmentSample],
        _ key: PeriodKey
    ) throws -> ClipRendition.Segment {
        let number = MediaSequenceNumber(Int64(slot))
        var section = InitializationSection(configuration: configuration, timescale: timescale, language: "de")
        let vectors = samples.indices.map { Bytes16(high: UInt64(slot) << 32 | UInt64($0), low: 0) }
        var encryption: MovieFragment.Encryption?
        switch protection {
        case .none, .aes128: break
        case .cbcs:
            section.encryption = TrackEncryption(
                keyID: key.keyID,
                scheme: .cbcs(constantIV: key.constantIV, pattern: .video)
            )
            encryption = .constantIV
        case .cenc:
            section.encryption = TrackEncryption(keyID: key.keyID, scheme: .cenc)
            encryption = .vectors(vectors)
        }
        let fragment = MovieFragment(
            sequenceNumber: UInt32(slot + 1),
            baseMediaDecodeTime: UInt64((start - Self.shift).value(timescale: Int64(timescale))),
            samples: samples,
            encryption: encryption,
            startsSegment: true
        )
        var (bytes, offset) = fragment.encode()
        try encrypt(&bytes, samples, at: offset, vectors, key)
        var map = section.encode()
        var (listed, mapKeys): ([EncryptionKey], [EncryptionKey]) = ([], [])
        let uri = "keys/\(key.keyID)"
        switch protection {
        case .none: break
        case .aes128:
            listed = [EncryptionKey(method: .aes128, uri: uri)]
            mapKeys = [EncryptionKey(method: .aes128, uri: uri, initializationVector: key.constantIV)]
            var encryptor = try SegmentEncryptor(key: key.contentKey, cipher: .aes128)
            try encryptor.encrypt(&bytes, iv: number.initializationVector)
            try encryptor.encrypt(&map, iv: key.constantIV)
        case .cbcs: listed = [EncryptionKey(method: .sampleAES, uri: uri, initializationVector: key.constantIV)]
        case .cenc: listed = [EncryptionKey(method: .sampleAESCounterMode, uri: uri)]
        }
        let (path, mapPath) = ("\(name)/\(slot).m4s", "\(name)/init.mp4")
        (bodies[path], bodies[mapPath]) = (bytes, map)
        return ClipRendition.Segment(
            number: number,
            line: MediaPlaylist.Segment(
                uri: path,
                duration: SegmentDuration(value: 2, timescale: 1),
                programDateTime: start,
                keys: listed,
                map: MediaInitialization(uri: mapPath, keys: mapKeys.isEmpty ? listed : mapKeys)
            )
        )
    }

    private func encrypt(
        _ bytes: inout ByteBuffer,
        _ samples: [FragmentSample],
        at offset: Int,
        _ vectors: [Bytes16],
        _ key: PeriodKey
    ) throws {
        var position = bytes.readerIndex + offset
        var pattern = try SampleEncryptor(key: key.contentKey, constantIV: key.constantIV, pattern: .video)
        var counter = try CounterModeSampleEncryptor(key: key.contentKey)
        for (index, sample) in samples.enumerated() {
            let (length, subsamples) = (sample.payload.readableBytes, sample.subsamples)
            switch protection {
            case .none, .aes128: break
            case .cbcs: try pattern.encrypt(&bytes, at: position, length: length, subsamples: subsamples)
            case .cenc:
                try counter.encrypt(&bytes, at: position, length: length, subsamples: subsamples, iv: vectors[index])
            }
            position += length
        }
    }
}

extension MadeMedia {
    static func ticks(_ seconds: Double) -> Int64 { Int64((seconds * 90_000).rounded()) }

    /// A time, in seconds from the start of slot 0.
    static func time(_ seconds: Double) -> MediaTime { epoch + MediaTime(ticks: ticks(seconds)) }
}
