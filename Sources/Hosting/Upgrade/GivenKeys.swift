import ContentProtection
import Foundation
import MediaCore
import PackagerConfig

/// The keys that a key source has given to a channel, for its successor.
///
/// Its description shows none of them.
struct GivenKeys: Hashable, Sendable {
    /// The `key-source` of the channel: another source may have other keys for the same periods.
    private let source: String
    /// The keys, those of the oldest periods first.
    let keys: [PeriodKey]

    /// Fails if there are none, or they derive from a secret.
    ///
    /// - Parameters:
    ///   - keys: The keys, those of the oldest periods first.
    ///   - settings: The settings of the channel; those that also decide its keys cannot change while it is on air.
    init?(_ keys: [PeriodKey], to settings: ChannelConfiguration) {
        guard settings.keys.source != .derived, !keys.isEmpty else { return nil }
        (source, self.keys) = (settings.keys.source.text, keys)
    }

    /// Adds the keys to those of a channel, unless that has another key source.
    ///
    /// - Parameters:
    ///   - store: The keys of the channel.
    ///   - settings: Its settings.
    func add(to store: KeyStore, for settings: ChannelConfiguration) {
        guard settings.keys.source.text == source else { return }
        for key in keys { store.insert(key) }
    }
}

extension GivenKeys: Codable {
    private enum CodingKeys: String, CodingKey {
        case source, keys
    }

    /// Leaves out keys of classes that this version does not know.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        source = try container.decode(String.self, forKey: .source)
        keys = try container.decode([SavedKey].self, forKey: .keys).compactMap(\.key)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(keys.map(SavedKey.init), forKey: .keys)
    }
}

/// A key as one process says it to the next, with bytes in base64.
private struct SavedKey: Codable {
    struct Signalling: Codable {
        var uri: String?
        var header: Header?
        var allowedCPC: String?
    }

    struct Header: Codable {
        var systemID: Data
        var keyIDs: [Data]
        var data: Data
    }

    var period: Int64
    var keyClass: String
    var keyID: Data
    var contentKey: Data
    var constantIV: Data
    var signalling: [String: Signalling]
    var displayProtection: String?

    init(_ key: PeriodKey) {
        period = key.period.index
        keyClass = key.keyClass.rawValue
        keyID = Data(key.keyID.bytes.bytes)
        contentKey = Data(key.contentKey.bytes)
        constantIV = Data(key.constantIV.bytes)
        let named = key.signalling.map { ($0.key.rawValue, Signalling($0.value)) }
        signalling = Dictionary(named) { first, _ in first }
        displayProtection = key.displayProtection?.rawValue
    }

    /// The key; nil if this version does not know such keys.
    var key: PeriodKey? {
        guard let keyClass = KeyClass(rawValue: keyClass), let keyID = Bytes16(keyID),
            let contentKey = ContentKey(bytes: contentKey), let constantIV = Bytes16(constantIV)
        else { return nil }
        let known = signalling.compactMap { name, value in KeySystem(rawValue: name).map { ($0, value.signalling) } }
        return PeriodKey(
            period: CryptoPeriod(period),
            keyClass: keyClass,
            keyID: KeyID(keyID),
            contentKey: contentKey,
            constantIV: constantIV,
            signalling: Dictionary(known) { first, _ in first },
            displayProtection: displayProtection.flatMap(DisplayProtection.init(rawValue:))
        )
    }
}

extension SavedKey.Signalling {
    init(_ signalling: KeySignalling) {
        uri = signalling.uri
        allowedCPC = signalling.allowedCPC
        header = signalling.header.map { header in
            SavedKey.Header(
                systemID: Data(header.systemID.bytes),
                keyIDs: header.keyIDs.map { Data($0.bytes.bytes) },
                data: Data(header.data)
            )
        }
    }

    var signalling: KeySignalling { KeySignalling(uri: uri, header: header?.header, allowedCPC: allowedCPC) }
}

extension SavedKey.Header {
    /// The header; nil if its system has no ID.
    var header: ProtectionSystemHeader? {
        Bytes16(systemID).map { system in
            ProtectionSystemHeader(
                systemID: system,
                keyIDs: keyIDs.compactMap { Bytes16($0).map(KeyID.init) },
                data: Array(data)
            )
        }
    }
}
