package import ContentProtection
package import Inspection
package import MediaCore
package import NIOCore
package import Playlists

/// Decrypts segments and initialization sections of fragmented MP4.
package struct SegmentOpener: Sendable {
    private let keys: RecordedKeys

    /// - Parameter known: Keys of the stream, by their IDs.
    package init(known: [KeyID: PeriodKey]) {
        keys = RecordedKeys(known)
    }

    /// Decrypts whole resources: METHOD=AES-128 and AES-256-GCM.
    ///
    /// - Parameters:
    ///   - bytes: The resource.
    ///   - path: Its path, for errors.
    ///   - number: The segment's number; nil for an initialization section.
    ///   - listed: The keys that the playlist lists for it.
    /// - Returns: The resource in the clear. It is unchanged if only its samples are encrypted, or nothing is.
    /// - Throws: ``RekeyingError`` if its key is unknown, has not the length that the method needs, or does not decrypt
    ///   it.
    package func opened(
        _ bytes: ByteBuffer,
        _ path: String,
        number: MediaSequenceNumber?,
        keys listed: [EncryptionKey]
    ) throws(RekeyingError) -> ByteBuffer {
        guard let method = listed.first?.method, let cipher = method.cipher else { return bytes }
        let key = try key(of: listed, path)
        do throws(RekeyingProblem) { try method.check(key) } catch { throw RekeyingError(path, error.reason) }
        let zero = Bytes16(high: 0, low: 0)
        do throws(OpenSSLError) {
            var decryptor = try SegmentDecryptor(key: key.contentKey, cipher: cipher)
            let vector = listed.lazy.compactMap(\.initializationVector).first ?? number?.initializationVector
            return try decryptor.decrypted(bytes, iv: vector ?? zero)
        } catch {
            throw RekeyingError(path, "its key does not decrypt it")
        }
    }

    /// Decrypts the samples of fragments: METHOD=SAMPLE-AES and SAMPLE-AES-CTR.
    ///
    /// - Parameters:
    ///   - bytes: A segment, whose protected bytes change.
    ///   - path: Its path, for errors.
    ///   - samples: The samples to decrypt.
    ///   - track: The track of its initialization section.
    ///   - listed: The keys that the playlist lists for it.
    /// - Throws: ``RekeyingError`` if its key is unknown or has not 16 bytes, or if the scheme is unknown.
    package func open(
        _ bytes: inout ByteBuffer,
        _ path: String,
        samples: [ParsedSample],
        of track: ParsedTrack,
        keys listed: [EncryptionKey]
    ) throws(RekeyingError) {
        guard let encryption = track.sampleEntry.encryption else { return }
        let key = try key(of: listed, path)
        guard key.keyID == encryption.keyID else {
            throw RekeyingError(path, "it names key \(encryption.keyID), and the playlist \(key.keyID)")
        }
        do {
            try (track.sampleEntry.scheme == "cenc" ? EncryptionKey.Method.sampleAESCounterMode : .sampleAES).check(key)
            switch track.sampleEntry.scheme {
            case "cbcs"?:
                guard let vector = Bytes16(encryption.constantIV) else {
                    throw RekeyingProblem("its samples have initialization vectors of their own")
                }
                var decryptor = try SampleEncryptor(
                    key: key.contentKey,
                    constantIV: vector,
                    pattern: encryption.pattern,
                    direction: .decrypting
                )
                for sample in samples {
                    let index = bytes.readerIndex + sample.range.lowerBound
                    try decryptor.encrypt(&bytes, at: index, length: sample.size, subsamples: sample.subsamples)
                }
            case "cenc"?:
                // Counter mode is its own inverse.
                var decryptor = try CounterModeSampleEncryptor(key: key.contentKey)
                for sample in samples {
                    let index = bytes.readerIndex + sample.range.lowerBound
                    try decryptor.encrypt(
                        &bytes,
                        at: index,
                        length: sample.size,
                        subsamples: sample.subsamples,
                        iv: try sample.counter
                    )
                }
            case let scheme: throw RekeyingProblem("its scheme is \(scheme.map { "\($0)" } ?? "not said")")
            }
        } catch let problem as RekeyingProblem {
            throw RekeyingError(path, problem.reason)
        } catch {
            throw RekeyingError(path, "\(error)")
        }
    }

    private func key(of listed: [EncryptionKey], _ path: String) throws(RekeyingError) -> PeriodKey {
        if let key = listed.lazy.compactMap({ keys.key(of: $0.uri) }).first { return key }
        let uri = listed.first?.uri.prefix(120) ?? ""
        throw RekeyingError(path, "the keys that were given have none of URI \(uri)")
    }
}

extension ParsedSample {
    /// The counter of its first block under `cenc`.
    ///
    /// - Throws: A phrase, if it has no vector.
    var counter: Bytes16 {
        get throws(RekeyingProblem) {
            let padding = [UInt8](repeating: 0, count: max(0, 16 - initializationVector.count))
            guard let vector = Bytes16(initializationVector + padding) else {
                throw RekeyingProblem("a sample has no initialization vector")
            }
            return vector
        }
    }
}
