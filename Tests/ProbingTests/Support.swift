import Foundation
import MediaCore
import TestSupport

@testable import Probing

/// Reports on all of a file.
func probe(_ path: String) async throws -> FeedReport {
    try await FeedProbe(FeedLocation(path), length: MediaTime(seconds: 3600)).run(patience: MediaTime(seconds: 60))
}

/// A feed that FFmpeg makes of pictures that move; `arguments` end with its encoders.
func withFeed<Result>(
    _ arguments: [String],
    seconds: Int = 10,
    _ body: (String) async throws -> Result
) async throws -> Result {
    let directory = try TemporaryDirectory()
    let path = directory.file("feed.ts")
    let pictures = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds)"]
    try await Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + pictures + arguments + [path])
    return try await body(path)
}

/// A port of this machine that another program has.
final class HeldPort {
    private let descriptor: Int32

    init(_ port: Int, isDatagram: Bool) throws {
        descriptor = socket(AF_INET, Int32((isDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, isDatagram || listen(descriptor, 1) == 0 else { throw POSIXError(.EADDRINUSE) }
    }

    func close() { _ = Foundation.close(descriptor) }
}

/// The pictures of a file by ffprobe, in the order in which they are shown.
struct ProbedPictures: Decodable {
    struct Frame: Decodable {
        var isKeyFrame: Int
        var type: String
        var time: String

        private enum CodingKeys: String, CodingKey {
            case isKeyFrame = "key_frame"
            case type = "pict_type"
            case time = "best_effort_timestamp_time"
        }
    }

    var frames: [Frame]

    init(_ path: String) async throws {
        let output = try await Program.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries",
                "frame=key_frame,pict_type,best_effort_timestamp_time", "-of", "json", path,
            ]
        )
        self = try JSONDecoder().decode(Self.self, from: Data(output.utf8))
    }

    /// Seconds from each key frame to the next.
    var distances: [Double] {
        let times = frames.filter { $0.isKeyFrame == 1 }.compactMap { Double($0.time) }
        return zip(times, times.dropFirst()).map { $1 - $0 }
    }

    /// The most B pictures that are shown in a row.
    var bPictures: Int {
        frames.split { $0.type != "B" }.map(\.count).max() ?? 0
    }
}
