import ContentProtection
import Files
import MediaCore
import NIOCore
import Rekeying

/// Assets that have keys of their own.
extension AssetMaker {
    /// Writes a copy of recorded media under new keys.
    ///
    /// - Parameters:
    ///   - files: The texts of the copy by their names, as they would be with the keys of its time.
    ///   - numbers: The slots that they list.
    ///   - newKeys: A key for each class of tracks.
    ///   - room: The directory of the copy, and its room.
    /// - Returns: Bytes of its files.
    /// - Throws: An error that says in words why there is no copy.
    func rekey(
        _ files: [String: String],
        of numbers: Set<MediaSequenceNumber>,
        with newKeys: [PeriodKey],
        in room: AssetDiskSpace
    ) async throws -> Int {
        let stream = try PublishedDirectory { [recording] path in
            if path.hasSuffix(Self.playlistSuffix) { return files[path].map { ByteBuffer(string: $0) } }
            try room.checkCancellation()
            guard let bytes = try recording.bytes(at: path) else { throw AssetError.gone(path: path) }
            // Other writers use the disk as well.
            try room.require(bytes.readableBytes)
            return bytes
        }
        guard !stream.keys.isEmpty else { throw AssetError.nothingEncrypted }
        let known = try await keys(numbers)
        let rekeyer = Rekeyer(
            stream,
            known: known.keys,
            replacements: Dictionary(newKeys.map { ($0.keyClass, $0) }) { first, _ in first },
            fileSystem: fileSystem
        )
        if let uri = rekeyer.unknownKey { throw AssetError.unknownKey(uri: uri, reason: known.refusal) }
        var byteCount = try rekeyer.write(to: room.folder).byteCount
        for (name, text) in files where !name.hasSuffix(Self.playlistSuffix) {
            try fileSystem.create("\(room.folder)/\(name)", ByteBuffer(string: text))
            byteCount += text.utf8.count
        }
        return byteCount
    }

    private static let playlistSuffix = ".m3u8"
}
