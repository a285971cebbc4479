package import ContentProtection
import Foundation
import ISOBMFF
package import MediaCore
import NIOCore
package import Playlists

/// Keys as playlists have them.
extension ChannelEncryption {
    /// Returns the attributes of EXT-X-KEY for a key of one key system.
    package func playlistKey(_ key: KeyReference) -> EncryptionKey? {
        switch self {
        case .none: nil
        // Without IV, which makes it the media sequence number (RFC 8216bis § 5.2).
        case .aes128: EncryptionKey(method: .aes128, uri: key.uri)
        // Each segment begins with its own, and the attribute must not be there (RFC 8216bis § 4.4.4.4).
        case .aes256GCM: EncryptionKey(method: .aes256GCM, uri: key.uri)
        case .sampleAES:
            EncryptionKey(
                method: .sampleAES,
                uri: key.uri,
                initializationVector: key.system.needsVector ? key.constantIV : nil,
                keyFormat: key.system.keyFormat,
                keyFormatVersions: key.system.keyFormatVersions
            )
        // Each sample has its own, and the attribute must not be there (RFC 8216bis § 4.4.4.4).
        case .sampleAESCounterMode:
            EncryptionKey(
                method: .sampleAESCounterMode,
                uri: key.uri,
                keyFormat: key.system.keyFormat,
                keyFormatVersions: key.system.keyFormatVersions
            )
        }
    }
}

extension KeySystem {
    /// Returns the public part of a key for clients of this system, as its source gives it or as it follows from the
    /// key.
    package func reference(to key: PeriodKey, scheme: FourCC) -> KeyReference {
        let given = key.signalling[self]
        let header = given?.header ?? header(of: key, scheme: scheme)
        return KeyReference(
            system: self,
            keyID: key.keyID,
            constantIV: key.constantIV,
            uri: given?.uri ?? uri(of: key.keyID, header),
            header: header,
            displayProtection: key.displayProtection,
            allowedCPC: given?.allowedCPC
        )
    }

    private func uri(of keyID: KeyID, _ header: ProtectionSystemHeader?) -> String {
        switch self {
        case .identity: "keys/\(keyID)"
        case .fairplay: "skd://\(keyID)"
        case .widevine: Self.dataURI("text/plain", header.map { Array(buffer: $0.encode()) } ?? [])
        case .playready: Self.dataURI("text/plain;charset=UTF-16", header?.data ?? [])
        case .clearkey: Self.dataURI("text/plain", keyID.bytes.bytes)
        }
    }

    /// Returns the IDs that a URI of this packager may name: of systems that carry them, all but Widevine and PlayReady.
    ///
    /// - Parameter uri: A URI of EXT-X-KEY.
    /// - Returns: The IDs; none if the URI is the key server's own.
    package static func keyIDs(in uri: String) -> [KeyID] {
        if uri.hasPrefix(clearKeyPrefix) {
            let bytes = Data(base64Encoded: String(uri.dropFirst(clearKeyPrefix.count))).map(Array.init) ?? []
            return Bytes16(bytes).map { [KeyID($0)] } ?? []
        }
        return uri.matches(of: /[0-9a-f]{32}/).compactMap { Bytes16(hex: $0.output).map(KeyID.init) }
    }

    private static let clearKeyPrefix = dataURI("text/plain", [])

    /// RFC 2397.
    private static func dataURI(_ mediaType: String, _ bytes: [UInt8]) -> String {
        "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())"
    }
}
