import Files

/// The room that an asset may take: a recording that finds its disk full removes its oldest blocks.
struct AssetRoom {
    /// Bytes that stay free.
    static let reserve = 1_000_000_000

    let fileSystem: any FileSystem
    /// The directory of the asset.
    let folder: String

    /// Makes sure that bytes can be written without touching the reserve.
    ///
    /// - Throws: ``AssetError/noRoom(missing:)``, or `FileError` if the room is not known.
    func require(_ byteCount: Int) throws {
        let missing = byteCount + Self.reserve - (try fileSystem.availableByteCount(of: folder))
        if missing > 0 { throw AssetError.noRoom(missing: missing) }
    }
}
