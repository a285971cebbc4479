import Archive
import Files
import NIOCore
import Presentation
import TestSupport

/// A store of segments that keeps each in a file of its own, on the disk of a test.
final class DiskMedia: MediaStore {
    let name = "media"
    let policy = ConsumerPolicy.precedes(within: .seconds(600))
    let interest: Publication.Kinds = [.window, .slots]
    private let disk: MemoryFileSystem

    init(_ disk: MemoryFileSystem) {
        self.disk = disk
    }

    static func file(_ path: String) -> String { "recording/\(path)" }

    func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .window(let snapshot):
                for file in snapshot.files where byteCount(of: file.path) == nil {
                    if let bytes = snapshot.body(file.path)?.memory { write(file.path, bytes) }
                }
            case .slots(let slots):
                for (path, bytes) in slots.bodies { write(path, bytes) }
            default: break
            }
        }
        return .done
    }

    /// Writes what is not there yet: every slot brings its initialization section again, and older ones need it.
    ///
    /// A disk without room costs the segment.
    private func write(_ path: String, _ bytes: ByteBuffer) {
        let file = Self.file(path)
        if disk.files[file] != Array(bytes.readableBytesView) { try? disk.create(file, bytes) }
    }

    func byteCount(of path: String) -> Int? { disk.byteCount(of: Self.file(path)) }
    func holds(_ path: String) -> Bool? { byteCount(of: path) != nil }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try disk.read(Self.file(path), range)
    }
}
