package import ContentProtection
import Files
import Foundation
package import MediaCore
import NIOCore
import Operations

/// The keys of assets: their own, or those of the channel.
extension AssetLibrary {
    /// Looks for a key that an asset needs.
    ///
    /// - Parameters:
    ///   - keyID: The ID.
    ///   - now: UTC.
    /// - Returns: The key, as long as viewers have the asset; nil if there is none.
    /// - Throws: `MissingKey` if the source of the keys has not given it again to this process yet.
    package func key(_ keyID: KeyID, now: MediaTime) throws(MissingKey) -> PeriodKey? {
        guard let id = newKeys.holder(of: keyID), let record = record(id), record.state == .ready else { return nil }
        // An expired asset may not have been removed yet.
        if record.isOver(at: now) { return nil }
        return try newKeys.key(keyID, of: id)
    }

    /// The first slot of an asset that a key of the channel encrypts, as long as viewers have the asset.
    ///
    /// - Parameters:
    ///   - keyID: The ID of the key.
    ///   - now: UTC.
    /// - Returns: The slot; nil if no asset needs the key.
    package func firstSlot(of keyID: KeyID, now: MediaTime) -> MediaSequenceNumber? {
        channelKeys.holders(of: keyID).first { holder in
            record(holder.id).map { $0.state == .ready && !$0.isOver(at: now) } ?? false
        }?.slot
    }

    /// The slots of an asset with whose media keys of the channel begin.
    ///
    /// - Parameter path: `ID/PATH` of one of its files.
    /// - Returns: The slots, once for each key; none if it needs no keys of the channel.
    package func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] {
        Array(channelKeys.keys(of: String(path.prefix { $0 != "/" })).values)
    }

    /// Stores the IDs of the channel's keys that an asset needs.
    func save(_ keys: ChannelKeySlots, in folder: String) throws {
        if keys.slots.isEmpty { return }
        let json = try JSONEncoder.canonical.encode(keys)
        try fileSystem.replace("\(folder)/\(Self.keysFile)", ByteBuffer(bytes: json))
    }

    /// Notes the IDs of the channel's keys that a finished asset needs; none if the file cannot be read.
    func openChannelKeys(of id: String) {
        let file = "\(path(of: id))/\(Self.keysFile)"
        guard let bytes = try? fileSystem.read(file, limit: ChannelKeySlots.longest),
            let keys = try? JSONDecoder().decode(ChannelKeySlots.self, from: Data(bytes.readableBytesView))
        else { return }
        channelKeys.open(id, keys)
    }

    /// Returns the new keys of an asset, one for each class of tracks; nil if it keeps those of its time.
    ///
    /// - Throws: An error that says in words why there are none.
    func ownKeys(of record: AssetRecord) async throws -> [PeriodKey]? {
        guard record.request.keys == .new else { return nil }
        return try await newKeys.keys(of: record.id)
    }

    /// The IDs of keys by their classes of tracks, as records have them.
    static func keyIDs(_ keys: [PeriodKey]) -> [String: String] {
        Dictionary(keys.map { ($0.keyClass.rawValue, $0.keyID.description) }) { first, _ in first }
    }

    /// Requests the keys of assets from earlier processes, one after the other, the newest first.
    ///
    /// It ends with the first refusal: the others are requested when viewers need them.
    ///
    /// - Parameter note: Notes keys that are not available.
    package func recallKeys(note: (AssetEvent) -> Void) async {
        for record in records where record.state == .ready && !record.ownKeyIDs.isEmpty {
            if Task.isCancelled { return }
            do {
                let keys = try await newKeys.keys(of: record.id)
                // The asset may have been removed meanwhile.
                if self.record(record.id) == nil { newKeys.close(record.id) }
                guard Set(keys.map(\.keyID)).isSuperset(of: record.ownKeyIDs) else { throw AssetError.otherKeys }
            } catch {
                if !Task.isCancelled { note(.withoutKeys(id: record.id, reason: "\(error)")) }
                return
            }
        }
    }
}

extension AssetRecord {
    /// Returns true if its time is over, at a time in UTC.
    func isOver(at now: MediaTime) -> Bool { expires.map { $0.time <= now } ?? false }
}
