import Foundation
import Glibc
import TestSupport

/// An FLV feed on a TCP connection, tag by tag in real time, whose audio with its header comes some seconds after video.
///
/// FFmpeg as a publisher sends the headers of all streams ahead; others send a header with its first frame.
final class LateAudioSender: Sendable {
    private let tags: [Tag]

    /// Adobe Flash Video File Format Specification § E.4.1.
    private struct Tag: Sendable {
        var bytes: [UInt8]
        /// Milliseconds.
        var time: Int
        var isAudio: Bool { bytes[0] & 0x1F == 8 }
        /// True for the AudioSpecificConfig of AAC.
        var isHeader: Bool { bytes.count > 12 && bytes[12] == 0 }
    }

    /// - Parameter delay: Milliseconds of the feed before its first audio.
    /// - Throws: What FFmpeg finds wrong.
    init(delay: Int) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("feed.flv")
        let rounds = [String](repeating: "file '\(Repository.feed)'\nduration 8.0\n", count: 4).joined()
        let list = try directory.write(rounds, to: "rounds.txt")
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-f", "concat", "-safe", "0", "-i", list, "-map", "0:v", "-map", "0:a:0",
                "-c",
                "copy", "-flvflags", "no_metadata", file,
            ]
        )
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        var (position, all) = (13, [Tag]())
        while position + 11 <= bytes.count {
            let size = bytes[position + 1..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let time = bytes[position + 4..<position + 7].reduce(0) { $0 << 8 | Int($1) }
            let end = min(bytes.count, position + 11 + size + 4)
            all.append(Tag(bytes: Array(bytes[position..<end]), time: time))
            position = end
        }
        // From a transport stream FFmpeg learns it with the first frame, and writes an empty one ahead.
        let header = all.filter { $0.isAudio && $0.isHeader }.max { $0.bytes.count < $1.bytes.count }
        var isAwaited = true
        tags = all.flatMap { tag -> [Tag] in
            guard tag.isAudio else { return [tag] }
            guard !tag.isHeader, tag.time >= delay else { return [] }
            defer { isAwaited = false }
            return isAwaited ? [header, tag].compactMap(\.self) : [tag]
        }
    }

    /// Sends it to a port on this machine that somebody listens on, on a thread of its own.
    func start(port: Int) {
        Thread.detachNewThread { [tags] in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return }
            let start = ContinuousClock.now
            // The header says that there are both.
            var bytes: [UInt8] = [0x46, 0x4C, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]
            for tag in tags {
                let due = start + .milliseconds(tag.time) - .now
                if due > .zero { Thread.sleep(forTimeInterval: due / .seconds(1)) }
                bytes += tag.bytes
                guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                bytes = []
            }
        }
    }
}
