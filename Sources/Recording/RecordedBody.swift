package import Files
package import MediaCore
package import NIOCore
import Presentation

/// The bytes of a recorded segment or initialization section, and their place on the disk.
///
/// They never change. Reading them fails if their block was removed meanwhile.
package struct RecordedBody: Sendable {
    /// The path of the file.
    package var file: String
    /// The offset of the first byte in the file.
    package var offset: Int
    package var byteCount: Int
    /// The entity tag, with its quotes.
    package var entityTag: String
    /// The kind of its rendition.
    package var kind: MediaKind
    let fileSystem: any FileSystem
    /// Called with the error if the bytes cannot be read.
    var onFailure: @Sendable (FileError) -> Void = { _ in }

    /// Reads some of the bytes, or all of them; it waits for the disk.
    ///
    /// - Throws: ``FileError`` if they cannot be read.
    package func read(_ range: Range<Int>? = nil) throws(FileError) -> ByteBuffer {
        let range = range ?? 0..<byteCount
        guard range.upperBound <= byteCount else {
            throw FileError(operation: "read", path: file, reason: "bytes beyond the end are asked for")
        }
        do throws(FileError) {
            return try fileSystem.read(file, offset + range.lowerBound..<offset + range.upperBound)
        } catch {
            onFailure(error)
            throw error
        }
    }

    /// Returns the place of some of the bytes in their file; nil if other code cannot open it.
    package func place(of range: Range<Int>) -> FilePlace? {
        guard range.upperBound <= byteCount else { return nil }
        return fileSystem.place(of: offset + range.lowerBound..<offset + range.upperBound, in: file)
    }
}

extension RecordedBody {
    /// Finds an initialization section.
    ///
    /// - Parameters:
    ///   - path: Its path below the channel's name; nothing is found if it was not recorded, or is no longer kept.
    ///   - paths: The paths of the recording.
    ///   - fileSystem: The file system that the recording is in.
    /// - Throws: ``FileError`` if it cannot be read.
    init?(
        initialization path: MediaPath,
        in paths: RecordingPaths,
        _ fileSystem: any FileSystem
    ) throws(FileError) {
        let place = paths.initialization(path)
        let file = try fileSystem.read(place, limit: StoredInitialization.limit)
        guard let section = file.flatMap({ StoredInitialization($0) }) else { return nil }
        self.init(
            file: place,
            offset: StoredInitialization.headCount,
            byteCount: section.bytes.readableBytes,
            entityTag: ContentHash(of: section.bytes).entityTag,
            kind: section.kind,
            fileSystem: fileSystem
        )
    }
}
