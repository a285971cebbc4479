import ContentProtection
import MediaCore
import Packaging
import Playlists
import Presentation
import Synchronization

/// The channel's keys that an asset needs, each with the first slot that it encrypts.
///
/// A key source is asked by crypto periods, and a viewer asks by IDs. Only IDs are stored, never keys.
package struct ChannelKeySlots: Hashable, Sendable {
    /// The slots by the IDs of their keys.
    private(set) var slots: [KeyID: MediaSequenceNumber] = [:]
    private var seen: Set<String> = []

    /// The most keys of an asset: those of a day with slots of four seconds that each have a key for video, audio and
    /// more.
    static let most = 1 << 16
    /// The longest text of ``most`` keys, in bytes.
    static let longest = 4 << 20

    /// Notes the keys of listed segments.
    ///
    /// - Parameters:
    ///   - slot: A slot, of a greater number than those before.
    ///   - paths: The paths of the segments and initialization sections that playlists list of it.
    mutating func note(_ slot: ListedSlot, _ paths: [String]) {
        for segment in slot.segments.values where paths.contains(segment.line.uri) {
            for key in segment.line.keys + (segment.line.map?.keys ?? []) where seen.insert(key.uri).inserted {
                for keyID in KeySystem.keyIDs(in: key.uri) where slots[keyID] == nil && slots.count < Self.most {
                    slots[keyID] = slot.number
                }
            }
        }
    }
}

/// JSON with the slots by IDs in hexadecimal digits.
extension ChannelKeySlots: Codable {
    package init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer().decode([String: Int64].self)
        for (hex, number) in numbers.prefix(Self.most) {
            guard let bytes = Bytes16(hex: hex) else { continue }
            slots[KeyID(bytes)] = MediaSequenceNumber(number)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: slots.map { ($0.key.description, $0.value.value) }))
    }
}

/// The channel's keys that assets need, by assets.
final class ChannelKeyIndex: Sendable {
    private let assets = Mutex<[String: [KeyID: MediaSequenceNumber]]>([:])
    private let most: Int

    /// - Parameter most: The most keys; beyond, those of the oldest assets go.
    init(most: Int = 1 << 18) { self.most = most }

    /// Notes the keys of an asset that viewers have.
    func open(_ id: String, _ keys: ChannelKeySlots) {
        assets.withLock { assets in
            assets[id] = keys.slots.isEmpty ? nil : keys.slots
            var count = assets.values.reduce(0) { $0 + $1.count }
            // An ID begins with the time of its request.
            while count > most, let oldest = assets.keys.min() {
                count -= assets.removeValue(forKey: oldest)?.count ?? 0
            }
        }
    }

    /// Forgets an asset.
    func close(_ id: String) { assets.withLock { $0[id] = nil } }

    /// The keys of an asset, each with the first slot that it encrypts; none if there is no such asset.
    func keys(of id: String) -> [KeyID: MediaSequenceNumber] { assets.withLock { $0[id] ?? [:] } }

    /// The assets that need a key, each with the first slot that it encrypts there.
    func holders(of keyID: KeyID) -> [(id: String, slot: MediaSequenceNumber)] {
        assets.withLock { $0.compactMap { asset in asset.value[keyID].map { (asset.key, $0) } } }
    }
}
