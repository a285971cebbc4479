import ContentProtection
import Foundation
import MediaCore
import NIOCore
import Playlists

/// A key of a recording, and the one that its copy has instead.
struct KeyReplacement: Hashable {
    let old: PeriodKey
    let new: PeriodKey
    let method: EncryptionKey.Method

    /// Finds it for what a playlist says of a segment or an initialization section; nil where nothing is encrypted.
    ///
    /// - Parameters:
    ///   - listed: One a key system, all of one key.
    ///   - known: Keys of the recording.
    ///   - replacements: Those of the copy.
    /// - Throws: A phrase, where the key is not known.
    init?(
        for listed: [EncryptionKey],
        known: [KeyID: PeriodKey],
        replacements: [KeyClass: PeriodKey]
    ) throws(RekeyingProblem) {
        guard let first = listed.first else { return nil }
        let names = listed.flatMap { Self.keyIDs(in: $0.uri) }
        guard let old = names.compactMap({ known[$0] }).first else {
            let name = names.first.map { "with ID \($0)" } ?? "of URI \(first.uri)"
            throw RekeyingProblem("the keys that were given have none \(name)")
        }
        guard let new = replacements[old.keyClass] else {
            throw RekeyingProblem("there is no new key for \(old.keyClass)")
        }
        (self.old, self.new, method) = (old, new, first.method)
    }

    /// What is said of the new key instead.
    ///
    /// - Parameters:
    ///   - key: What is said of the old one.
    ///   - isOfMap: Whether it covers an initialization section.
    /// - Returns: The same of the new one.
    /// - Throws: A phrase, where a key system names its keys in another way than by their IDs.
    func replacing(_ key: EncryptionKey, isOfMap: Bool) throws(RekeyingProblem) -> EncryptionKey {
        guard let uri = uri(replacing: key.uri) else {
            throw RekeyingProblem("keys of KEYFORMAT \(key.effectiveKeyFormat) cannot be replaced")
        }
        var replaced = key
        replaced.uri = uri
        replaced.initializationVector =
            switch method {
            // A segment's vector is its number; only a map, which has none, needs one to be said (RFC 8216bis § 4.4.4.5).
            case .aes128: isOfMap ? new.constantIV : nil
            case .sampleAES: key.initializationVector.map { _ in new.constantIV }
            case .aes256GCM, .sampleAESCounterMode: nil
            }
        return replaced
    }

    /// Puts the new key's ID where bytes have that of the old one.
    ///
    /// - Returns: Whether there was one.
    func replaceKeyID(in bytes: inout [UInt8]) -> Bool {
        var (isThere, position) = (false, 0)
        let (from, to) = (old.keyID.bytes.bytes, new.keyID.bytes.bytes)
        while position + from.count <= bytes.count {
            guard bytes[position..<position + from.count].elementsEqual(from) else {
                position += 1
                continue
            }
            bytes.replaceSubrange(position..<position + from.count, with: to)
            (isThere, position) = (true, position + from.count)
        }
        return isThere
    }

    private func uri(replacing uri: String) -> String? {
        let name = old.keyID.description
        if uri.contains(name) { return uri.replacing(name, with: new.keyID.description) }
        guard let (head, data) = Self.data(of: uri) else { return nil }
        var bytes = data
        return replaceKeyID(in: &bytes) ? head + Data(bytes).base64EncodedString() : nil
    }

    /// The key IDs that a URI may name: as digits, or in the first or last bytes that it is itself (RFC 2397).
    private static func keyIDs(in uri: String) -> [KeyID] {
        if let (_, data) = data(of: uri) {
            return stride(from: 0, through: data.count - 16, by: 1)
                .compactMap { Bytes16(data[$0..<$0 + 16]).map(KeyID.init) }
        }
        return uri.matches(of: /[0-9a-f]{32}/).compactMap { Bytes16(hex: $0.output).map(KeyID.init) }
    }

    private static func data(of uri: String) -> (head: String, data: [UInt8])? {
        guard uri.hasPrefix("data:"), let mark = uri.firstRange(of: ";base64,"),
            let data = Data(base64Encoded: String(uri[mark.upperBound...]))
        else { return nil }
        return (String(uri[..<mark.upperBound]), Array(data))
    }
}
