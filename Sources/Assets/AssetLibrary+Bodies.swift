package import Files
package import MediaCore
package import NIOCore
import Operations
import Presentation

/// The files of assets, by `ID/PATH`.
extension AssetLibrary: BodyStore {
    package func holds(_ path: String) -> Bool? { nil }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try fileSystem.read("\(directory)/./\(path)", range)
    }

    package func place(of range: Range<Int>, in path: String) -> FilePlace? {
        fileSystem.place(of: range, in: "\(directory)/./\(path)")
    }

    /// Returns the length of a file that viewers may have.
    ///
    /// - Parameter path: `ID/PATH`, without dot segments.
    /// - Returns: Bytes; nil if there is none, or its asset has expired.
    /// - Throws: `FileError`.
    package func byteCount(of path: Substring) throws(FileError) -> Int? {
        // An expired asset is not removed while a long one is being made.
        if let expiry = expiry(of: path), expiry <= time() { return nil }
        return try keptByteCount(of: path)
    }

    package func expiry(of path: Substring) -> MediaTime? { record(String(path.prefix { $0 != "/" }))?.expires?.time }

    /// The length of a file, also of an asset that has expired and is still there.
    func keptByteCount(of path: Substring) throws(FileError) -> Int? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...4).contains(components.count), components.allSatisfy({ !["", ".", ".."].contains($0) }),
            record(String(components[0]))?.state == .ready,
            !Self.ownFiles.contains(String(components[components.count - 1]))
        else { return nil }
        return try fileSystem.byteCount(of: "\(directory)/./\(path)")
    }
}
