import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore

/// Encrypts the samples of movie fragments with the key of one crypto period.
enum FragmentCipher {
    /// Scheme `cbcs`.
    case pattern(Pattern)
    /// Scheme `cenc`.
    case counter(Counter)

    // Classes, because an OpenSSL context cannot be copied.

    final class Pattern {
        var encryptor: SampleEncryptor

        init(_ encryptor: consuming SampleEncryptor) {
            self.encryptor = encryptor
        }
    }

    final class Counter {
        var encryptor: CounterModeSampleEncryptor

        init(_ encryptor: consuming CounterModeSampleEncryptor) {
            self.encryptor = encryptor
        }
    }

    /// - Throws: ``OpenSSLError``.
    static func pattern(_ pattern: TrackEncryption.Pattern, for key: PeriodKey) throws -> FragmentCipher {
        .pattern(
            Pattern(try SampleEncryptor(key: key.contentKey, constantIV: key.constantIV, pattern: pattern))
        )
    }

    /// - Throws: ``OpenSSLError``.
    static func counter(for key: PeriodKey) throws -> FragmentCipher {
        .counter(Counter(try CounterModeSampleEncryptor(key: key.contentKey)))
    }

    /// Encrypts samples that follow each other, in place.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that they are in.
    ///   - samples: The samples.
    ///   - offset: The number of readable bytes before the first.
    ///   - vectors: The vectors of the samples, under `cenc`.
    /// - Throws: ``SampleEncryptionError``.
    func encrypt(
        _ bytes: inout ByteBuffer,
        _ samples: [FragmentSample],
        at offset: Int,
        vectors: [Bytes16]
    ) throws {
        var position = bytes.readerIndex + offset
        for (index, sample) in samples.enumerated() {
            let length = sample.payload.readableBytes
            switch self {
            case .pattern(let cipher):
                try cipher.encryptor.encrypt(&bytes, at: position, length: length, subsamples: sample.subsamples)
            case .counter(let cipher):
                try cipher.encryptor
                    .encrypt(&bytes, at: position, length: length, subsamples: sample.subsamples, iv: vectors[index])
            }
            position += length
        }
    }
}
