package import Files
import MediaCore
import NIOCore

/// The objects on disk that a store gets after the origin has stopped serving them.
///
/// Each file ends with a hash of its object: after a power cut a file may be empty, or cut short, and its object would
/// stay in the store like that.
package struct PushBacklog: Sendable {
    /// The most bytes of all objects.
    let limit: Int
    private let directory: String
    private let fileSystem: any FileSystem

    /// The most objects that are taken over from an earlier process.
    private static let mostFiles = 100_000

    /// - Parameters:
    ///   - directory: The directory, which is made if it is missing, for its owner alone.
    ///   - limit: The most bytes of all objects.
    ///   - fileSystem: The file system that it is in.
    /// - Throws: `FileError` if it cannot be made or written to.
    package init(
        directory: String,
        limit: Int,
        fileSystem: any FileSystem = LocalFileSystem.confidential
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        (self.limit, self.fileSystem) = (limit, fileSystem)
    }

    private static let hashSize = MemoryLayout<UInt64>.size

    /// Returns the objects that an earlier process has left, oldest first, with their sizes; unfinished files are
    /// removed.
    func contents() -> [(path: String, byteCount: Int)] {
        var paths: [String] = []
        for folder in (try? fileSystem.list(directory)) ?? [] {
            for name in (try? fileSystem.list("\(directory)/\(folder)")) ?? [] {
                if name.hasSuffix(LocalFileSystem.temporarySuffix) {
                    remove("\(folder)/\(name)")
                } else if paths.count < Self.mostFiles {
                    paths.append("\(folder)/\(name)")
                }
            }
        }
        let name: (String) -> Substring = { $0[($0.firstIndex(of: "/") ?? $0.startIndex)...] }
        return paths.sorted { name($0) < name($1) }.compactMap { path in
            // One without an object is read, and found to be damaged: it is lost, and reported.
            (try? fileSystem.byteCount(of: "\(directory)/\(path)")).flatMap(\.self)
                .map { (path, max(0, $0 - Self.hashSize)) }
        }
    }

    func write(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        var file = bytes
        file.writeInteger(ContentHash.whole(of: bytes).value)
        try fileSystem.replace("\(directory)/\(path)", file)
    }

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - byteCount: Its size, as ``contents()`` has it, or as it was written.
    /// - Returns: The object; nil if its file is damaged or gone.
    /// - Throws: `FileError` if it cannot be read.
    func read(_ path: String, byteCount: Int) throws(FileError) -> ByteBuffer? {
        let place = "\(directory)/\(path)"
        guard try fileSystem.byteCount(of: place) == byteCount + Self.hashSize else { return nil }
        var file = try fileSystem.read(place, 0..<byteCount + Self.hashSize)
        let bytes = file.readSlice(length: byteCount) ?? ByteBuffer()
        return file.readInteger(as: UInt64.self) == ContentHash.whole(of: bytes).value ? bytes : nil
    }

    /// Removes an object.
    ///
    /// One that cannot be removed is left to the next process, which finds it in the store already.
    func remove(_ path: String) { try? fileSystem.remove("\(directory)/\(path)") }
}
