package import Files
import NIOCore

/// A directory of objects that a store is to get later than the origin serves them.
package struct PushBacklog: Sendable {
    /// The bytes that it may have.
    let limit: Int
    private let directory: String
    private let fileSystem: any FileSystem

    /// Objects that are taken up from an earlier process.
    private static let mostFiles = 100_000

    /// - Parameters:
    ///   - directory: Made if it is not there, for its owner alone.
    ///   - limit: The bytes that it may have.
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

    /// The objects that an earlier process has left, oldest first, with their sizes; what is not whole goes.
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

    /// Removes an object; what cannot be removed is taken up by the next process, which finds it in the store.
    func remove(_ path: String) { try? fileSystem.remove("\(directory)/\(path)") }
}
