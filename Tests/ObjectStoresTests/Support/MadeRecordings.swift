import Files
import NIOCore
import Presentation
import Synchronization

@testable import ObjectStores

/// Finished recordings in memory, of which tests say what is in them.
final class MadeRecordings: RecordingSource, BodyStore {
    /// The stages of a recording: each has files with their texts.
    typealias Stages = [[String: String]]

    private let stages = Mutex<[String: Stages]>([:])
    private let reads = Mutex<[Range<Int>]>([])

    /// A recording with a segment, a thumbnail, a media playlist and a multivariant playlist.
    static let small: Stages = [
        ["video/init-0.mp4": "init", "video/1.m4s": "one", "video/2.m4s": "two"], ["poster.jpg": "picture"],
        [
            "video.m3u8": """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:4
            #EXT-X-PROGRAM-DATE-TIME:2026-11-27T20:00:00.000Z
            #EXT-X-MAP:URI="video/init-0.mp4"
            #EXTINF:4.0,
            video/1.m4s
            #EXTINF:4.0,
            video/2.m4s
            #EXT-X-ENDLIST
            """
        ],
        ["index.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvideo.m3u8\n"],
    ]

    var ids: [String] { stages.withLock { Array($0.keys) } }
    /// The ranges of bytes that were read.
    var ranges: [Range<Int>] { reads.withLock(\.self) }

    func add(_ id: String, _ files: Stages = MadeRecordings.small) { stages.withLock { $0[id] = files } }
    func remove(_ id: String) { stages.withLock { $0[id] = nil } }
    /// Removes a file of a recording, as one by reference loses them.
    func lose(_ path: String, of id: String) {
        stages.withLock { stages in
            for index in stages[id]?.indices ?? 0..<0 { stages[id]?[index][path] = nil }
        }
    }

    func isThere(_ id: String) -> Bool { ids.contains(id) }

    func forEachObject(of id: String, _ body: (_ path: String, _ stage: Int) throws -> Void) throws {
        let stages = stages.withLock { $0[id] ?? [] }
        for (stage, files) in stages.enumerated() {
            for path in files.keys.sorted() { try body(path, stage) }
        }
    }

    private func text(of path: String, _ id: String) -> String? {
        stages.withLock { $0[id]?.lazy.compactMap { $0[path] }.first }
    }

    func object(_ path: String, of id: String) throws -> Body? {
        text(of: path, id).map { .stored(StoredBody(path: "\(id)/\(path)", byteCount: $0.utf8.count, store: self)) }
    }

    func holds(_ path: String) -> Bool? { nil }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        reads.withLock { $0.append(range) }
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let text = text(of: parts[1], parts[0]), range.upperBound <= text.utf8.count else {
            throw FileError(operation: "read", path: path, reason: "it is gone")
        }
        return ByteBuffer(bytes: Array(text.utf8)[range])
    }
}
