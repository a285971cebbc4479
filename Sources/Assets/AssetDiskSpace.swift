import Files
import NIOCore

/// The disk space that an asset may use: on a full disk, a recording removes its oldest blocks.
struct AssetDiskSpace {
    /// Bytes that stay free.
    static let reserve = 1_000_000_000

    let fileSystem: any FileSystem
    /// The directory of the asset.
    let folder: String
    /// Returns false once the asset was removed.
    let isWanted: @Sendable () -> Bool

    /// Checks that the asset is still wanted.
    ///
    /// - Throws: `CancellationError` if it was removed, or the task is cancelled that makes it.
    func checkCancellation() throws(CancellationError) {
        if Task.isCancelled || !isWanted() { throw CancellationError() }
    }

    /// Checks that the asset is still wanted, and that bytes can be written without touching the reserve.
    ///
    /// - Throws: `CancellationError`, ``AssetError/noRoom(missing:)``, or `FileError` if the room is not known.
    func require(_ byteCount: Int) throws {
        try checkCancellation()
        let missing = byteCount + Self.reserve - (try fileSystem.availableByteCount(of: folder))
        if missing > 0 { throw AssetError.noRoom(missing: missing) }
    }
}

/// Media that is read as long as its asset is wanted and the disk has room, because it is written again.
struct CancellableMedia: RecordedMedia {
    let media: any RecordedMedia
    let room: AssetDiskSpace

    func bytes(at path: String) throws -> ByteBuffer? {
        // Other writers use the disk as well.
        try room.require(0)
        return try media.bytes(at: path)
    }
}
