package import Files
import NIOCore

/// The objects on disk that a store gets after the origin has stopped serving them.
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
            (try? fileSystem.byteCount(of: "\(directory)/\(path)")).flatMap(\.self).map { (path, $0) }
        }
    }

    func write(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        try fileSystem.replace("\(directory)/\(path)", bytes)
    }

    func read(_ path: String, byteCount: Int) throws(FileError) -> ByteBuffer {
        try fileSystem.read("\(directory)/\(path)", 0..<byteCount)
    }

    /// Removes an object.
    ///
    /// One that cannot be removed is left to the next process, which finds it in the store already.
    func remove(_ path: String) { try? fileSystem.remove("\(directory)/\(path)") }
}
