import ContentProtection
import Inspection
import MediaCore
import NIOCore
import Playlists

/// Decrypts segments and encrypts them again, without reading their media.
struct SegmentRekeyer {
    /// The path and number of a segment or an initialization section.
    struct Subject: Hashable {
        var path: String
        /// The segment's number; nil for an initialization section.
        var number: MediaSequenceNumber?

        /// The first component of its path.
        var rendition: String { String(path.prefix { $0 != "/" }) }
    }

    let replacement: KeyReplacement

    /// Whole resources: METHOD=AES-128 and AES-256-GCM.
    ///
    /// - Parameters:
    ///   - bytes: Bytes that were encrypted with the old key.
    ///   - subject: The segment or section.
    ///   - vector: The playlist's vector for the old key; nil for none.
    /// - Returns: The bytes, encrypted with the new key.
    /// - Throws: A phrase, if the old key does not decrypt it.
    func resealed(_ bytes: ByteBuffer, _ subject: Subject, vector: Bytes16?) throws(RekeyingProblem) -> ByteBuffer {
        guard let cipher = replacement.method.cipher else {
            throw RekeyingProblem("its samples are encrypted, and not all of it")
        }
        let (old, new) = (replacement.old.contentKey, replacement.new.contentKey)
        let zero = Bytes16(high: 0, low: 0)
        let numbered = subject.number?.initializationVector
        do throws(OpenSSLError) {
            var decryptor = try SegmentDecryptor(key: old, cipher: cipher)
            var resource = try decryptor.decrypted(bytes, iv: vector ?? numbered ?? zero)
            let iv =
                switch cipher {
                case .aes128: numbered ?? replacement.new.constantIV
                case .aes256GCM:
                    try SegmentVector.vector(
                        of: resource,
                        number: subject.number,
                        rendition: subject.rendition,
                        key: new
                    )
                }
            var encryptor = try SegmentEncryptor(key: new, cipher: cipher)
            try encryptor.encrypt(&resource, iv: iv)
            return resource
        } catch {
            throw RekeyingProblem("its key does not decrypt it")
        }
    }

    /// Samples of movie fragments: METHOD=SAMPLE-AES and SAMPLE-AES-CTR.
    ///
    /// - Parameters:
    ///   - bytes: A segment, or the beginning of one, whose samples are encrypted with the old key.
    ///   - section: Its initialization section, which names the old key.
    /// - Returns: As many bytes, of which only the protected ones have changed.
    /// - Throws: A phrase, if it cannot be read.
    func resampled(_ bytes: ByteBuffer, _ section: ParsedInitialization) throws(RekeyingProblem) -> ByteBuffer {
        guard let encryption = section.track.sampleEntry.encryption else {
            throw RekeyingProblem("its track is not encrypted")
        }
        var bytes = bytes.slice()
        do {
            let samples = try ParsedFragment.fragments(in: bytes, initialization: section).flatMap(\.samples)
            switch section.track.sampleEntry.scheme {
            case "cbcs"?:
                guard let vector = Bytes16(encryption.constantIV) else {
                    throw RekeyingProblem("its samples have initialization vectors of their own")
                }
                try resample(&bytes, samples, replacement, vector, encryption.pattern)
            case "cenc"?: try resample(&bytes, samples, replacement)
            case let scheme: throw RekeyingProblem("its scheme is \(scheme.map { "\($0)" } ?? "not said")")
            }
            return bytes
        } catch let problem as RekeyingProblem {
            throw problem
        } catch {
            throw RekeyingProblem("\(error)")
        }
    }

    /// Samples of transport streams and packed audio: METHOD=SAMPLE-AES.
    ///
    /// - Parameters:
    ///   - bytes: A segment whose samples are encrypted with the old key.
    ///   - subject: The segment.
    ///   - vector: The playlist's vector for the old key; nil for none.
    /// - Returns: The segment, and for a transport stream the bytes up to the end of the first picture.
    /// - Throws: A phrase, if it cannot be read.
    func resampled(
        _ bytes: ByteBuffer,
        _ subject: Subject,
        vector: Bytes16?
    ) throws(RekeyingProblem) -> (bytes: ByteBuffer, pictureByteCount: Int?) {
        do {
            var rekeyer = try TransportRekeyer(replacement, vector: vector ?? replacement.old.constantIV)
            switch SegmentFormat(path: subject.path) {
            case .transportStream: return try rekeyer.rekeyed(bytes)
            case let format: return (try rekeyer.rekeyed(packedAudio: bytes, format), nil)
            }
        } catch let problem as RekeyingProblem {
            throw problem
        } catch {
            throw RekeyingProblem("\(error)")
        }
    }

    private func resample(
        _ bytes: inout ByteBuffer,
        _ samples: [ParsedSample],
        _ replacement: KeyReplacement,
        _ vector: Bytes16,
        _ pattern: TrackEncryption.Pattern
    ) throws {
        let new = replacement.new
        var decryptor = try SampleEncryptor(
            key: replacement.old.contentKey,
            constantIV: vector,
            pattern: pattern,
            direction: .decrypting
        )
        var encryptor = try SampleEncryptor(key: new.contentKey, constantIV: new.constantIV, pattern: pattern)
        for sample in samples {
            let (index, length) = (bytes.readerIndex + sample.range.lowerBound, sample.size)
            try decryptor.encrypt(&bytes, at: index, length: length, subsamples: sample.subsamples)
            try encryptor.encrypt(&bytes, at: index, length: length, subsamples: sample.subsamples)
        }
    }

    /// Counter mode is its own inverse.
    ///
    /// Vectors stay: they differ by slot, so that one key may be used with all.
    private func resample(_ bytes: inout ByteBuffer, _ samples: [ParsedSample], _ replacement: KeyReplacement) throws {
        var old = try CounterModeSampleEncryptor(key: replacement.old.contentKey)
        var new = try CounterModeSampleEncryptor(key: replacement.new.contentKey)
        for sample in samples {
            let vector = try sample.counter
            let (index, length) = (bytes.readerIndex + sample.range.lowerBound, sample.size)
            try old.encrypt(&bytes, at: index, length: length, subsamples: sample.subsamples, iv: vector)
            try new.encrypt(&bytes, at: index, length: length, subsamples: sample.subsamples, iv: vector)
        }
    }
}
