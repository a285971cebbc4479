package import Files
import Foundation
import NIOCore

/// A directory with the objects that a destination has of each recording, also after a recording was removed.
///
/// Each recording has a directory there: pages of paths, and its progress, which is written last. Without it nothing
/// was sent yet.
package struct RecordingLedger: Sendable {
    private let directory: String
    private let fileSystem: any FileSystem

    /// The paths of a page.
    static let pageSize = 512
    /// The most objects of a recording: a day with segments of a second, in twenty renditions.
    static let mostObjects = 2_000_000
    /// The most bytes of a path.
    static let longestPath = 1024
    private static let longestPage = pageSize * (longestPath + 1)
    private static let longestProgress = 4096
    private static let progressFile = "progress.json"

    /// - Parameters:
    ///   - directory: The directory, which is made if it is missing, for its owner alone.
    ///   - fileSystem: The file system that it is in.
    /// - Throws: `FileError` if it cannot be made or written to.
    package init(
        directory: String,
        fileSystem: any FileSystem = LocalFileSystem.confidential
    ) throws(FileError) {
        self.directory = try fileSystem.claimDirectory(directory)
        self.fileSystem = fileSystem
    }

    /// Reads the records of an earlier process, and removes lists that it did not finish.
    ///
    /// - Throws: `FileError` if the directory, or a file in it, cannot be read.
    func contents() throws(FileError) -> [String: RecordingProgress] {
        var contents: [String: RecordingProgress] = [:]
        for id in try fileSystem.list(directory) where !id.hasSuffix(LocalFileSystem.temporarySuffix) {
            let file = "\(directory)/\(id)/\(Self.progressFile)"
            guard let bytes = try fileSystem.read(file, limit: Self.longestProgress) else {
                remove(id)
                continue
            }
            contents[id] = Self.progress(bytes)
            if contents[id] == nil { contents[id] = try recounted(id) }
            // A list without objects.
            if contents[id] == nil { remove(id) }
        }
        return contents
    }

    private static func progress(_ json: ByteBuffer) -> RecordingProgress? {
        let progress = try? JSONDecoder().decode(RecordingProgress.self, from: Data(json.readableBytesView))
        return progress.flatMap { $0.isSound ? $0 : nil }
    }

    /// The progress of a recording whose file lost its bytes in a power cut: any object may be stored.
    private func recounted(_ id: String) throws(FileError) -> RecordingProgress? {
        var progress = RecordingProgress()
        while progress.objects < Self.mostObjects {
            let page = try page(progress.pages, of: id)
            if page.isEmpty { break }
            progress.pages += 1
            progress.objects += page.count
        }
        progress.reached = progress.pages
        return progress.isSound ? progress : nil
    }

    /// Lists the objects of a recording before the first is sent.
    ///
    /// - Parameters:
    ///   - id: The ID of the recording.
    ///   - source: The recordings.
    ///   - isWanted: Returns false once another process takes over.
    /// - Returns: The pages.
    /// - Throws: ``RecordingListError`` if there are too many objects, `CancellationError` if another process takes
    ///   over, `FileError`, or what the source throws.
    func list(
        _ id: String,
        of source: any RecordingSource,
        isWanted: @escaping () -> Bool = { true }
    ) throws -> RecordingProgress {
        remove(id)
        var (progress, page, stage) = (RecordingProgress(), [String](), 0)
        func turn() throws {
            if page.isEmpty { return }
            guard isWanted() else { throw CancellationError() }
            let file = "\(directory)/\(id)/\(progress.pages)"
            try fileSystem.create(file, ByteBuffer(string: page.joined(separator: "\n")))
            // Only the list finds the objects in the store: it withstands a power cut before anything is sent.
            try fileSystem.synchronize(file)
            progress.pages += 1
            progress.objects += page.count
            page = []
        }
        try source.forEachObject(of: id) { path, next in
            guard path.utf8.count <= Self.longestPath, !path.contains("\n") else { throw RecordingListError.path }
            if next != stage || page.count == Self.pageSize { try turn() }
            stage = next
            guard progress.objects + page.count < Self.mostObjects else { throw RecordingListError.tooMany }
            page.append(path)
        }
        try turn()
        try save(progress, of: id)
        return progress
    }

    func save(_ progress: RecordingProgress, of id: String) throws {
        let (file, json) = ("\(directory)/\(id)/\(Self.progressFile)", try JSONEncoder().encode(progress))
        try fileSystem.replace(file, ByteBuffer(bytes: json))
        try fileSystem.synchronize(file)
    }

    /// Reads the paths of a page; none if there is no such page.
    func page(_ index: Int, of id: String) throws(FileError) -> [String] {
        guard let text = try fileSystem.read("\(directory)/\(id)/\(index)", limit: Self.longestPage) else { return [] }
        return String(buffer: text).split(separator: "\n").map(String.init)
    }

    /// Forgets a recording.
    ///
    /// The next process finds files that cannot be removed.
    func remove(_ id: String) {
        let folder = "\(directory)/\(id)"
        for name in (try? fileSystem.list(folder)) ?? [] { try? fileSystem.remove("\(folder)/\(name)") }
        try? fileSystem.removeDirectory(folder)
    }
}

/// The reason why the objects of a recording cannot be listed.
enum RecordingListError: Error, Hashable, CustomStringConvertible {
    case tooMany, path

    var description: String {
        switch self {
        case .tooMany: "it has more than \(RecordingLedger.mostObjects) files; make shorter recordings of its time"
        case .path: "the name of one of its files is too long"
        }
    }
}
