import ContentProtection
import Foundation
import MediaCore
import Packaging
import Playlists

/// A key of a recording, and its replacement in the copy.
struct KeyReplacement: Hashable {
    let old: PeriodKey
    let new: PeriodKey
    let method: EncryptionKey.Method

    /// Finds the replacement for the keys of a segment or an initialization section; nil if it is in the clear.
    ///
    /// - Parameters:
    ///   - listed: The attributes for each key system, all of one key.
    ///   - recorded: Keys of the recording.
    ///   - replacements: The keys of the copy.
    /// - Throws: A phrase, if the key is unknown, or one of the two has not the length that the method needs.
    init?(
        for listed: [EncryptionKey],
        recorded: RecordedKeys,
        replacements: [KeyClass: PeriodKey]
    ) throws(RekeyingProblem) {
        guard let first = listed.first else { return nil }
        guard let old = listed.compactMap({ recorded.key(of: $0.uri) }).first else {
            throw RekeyingProblem("the keys that were given have none of URI \(first.uri.prefix(120))")
        }
        guard let new = replacements[old.keyClass] else {
            throw RekeyingProblem("there is no new key for \(old.keyClass)")
        }
        for key in [old, new] { try first.method.check(key) }
        (self.old, self.new, method) = (old, new, first.method)
    }

    /// Returns the attributes of the new key in place of the old one's.
    ///
    /// - Parameters:
    ///   - key: The attributes of the old key.
    ///   - isOfMap: True if it covers an initialization section.
    /// - Returns: The attributes of the new key.
    /// - Throws: A phrase, if the key system is not known.
    func replacing(_ key: EncryptionKey, isOfMap: Bool) throws(RekeyingProblem) -> EncryptionKey {
        let format = key.effectiveKeyFormat
        guard let system = KeySystem.allCases.first(where: { ($0.keyFormat ?? "identity") == format }) else {
            throw RekeyingProblem("keys of KEYFORMAT \(format) cannot be replaced")
        }
        let name = old.keyID.description
        // If a licence server has attributes for the new key, they are used.
        let isGiven = system.hasLicenceServer && new.signalling[system]?.uri != nil
        var replaced = key
        replaced.uri =
            key.uri.contains(name) && !isGiven
            ? key.uri.replacing(name, with: new.keyID.description) : system.reference(to: new, scheme: scheme).uri
        replaced.initializationVector =
            switch method {
            // A segment's vector is its number. A map has no number, so its key must state the vector (RFC 8216bis §
            // 4.4.4.5).
            case .aes128: isOfMap ? new.constantIV : nil
            case .sampleAES: key.initializationVector.map { _ in new.constantIV }
            case .aes256GCM, .sampleAESCounterMode: nil
            }
        return replaced
    }

    /// The header of the new key for a key system, in an initialization section; nil if that is not known.
    func header(for systemID: Bytes16) -> ProtectionSystemHeader? {
        KeySystem.allCases.compactMap { $0.reference(to: new, scheme: scheme).header }.first { $0.systemID == systemID }
    }

    /// The scheme of Common Encryption.
    private var scheme: FourCC { method == .sampleAESCounterMode ? "cenc" : "cbcs" }
}

extension EncryptionKey.Method {
    /// The cipher of whole resources; nil if samples are encrypted.
    var cipher: SegmentCipher? {
        switch self {
        case .aes128: .aes128
        case .aes256GCM: .aes256GCM
        case .sampleAES, .sampleAESCounterMode: nil
        }
    }

    /// Checks the length of a key, which comes from a server or a file.
    ///
    /// - Throws: A phrase, if it is another one than the method's.
    func check(_ key: PeriodKey) throws(RekeyingProblem) {
        // Samples are encrypted by AES-128 alone.
        let size = cipher?.keySize ?? SegmentCipher.aes128.keySize
        guard key.contentKey.bytes.count == size else {
            throw RekeyingProblem("METHOD=\(rawValue) wants keys of \(size) bytes")
        }
    }
}
