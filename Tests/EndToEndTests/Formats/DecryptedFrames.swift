import Foundation
import TestSupport

/// The frames of segments as `frames.py` reads them, which decrypts METHOD=SAMPLE-AES by itself and to the last frame.
struct DecryptedFrames: Equatable {
    struct Frame: Equatable, Decodable {
        var byteCount: Int
        /// The hash of its bytes.
        var hash: String

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            byteCount = try container.decode(Int.self)
            hash = try container.decode(String.self)
        }
    }

    /// Access units and frames of audio in order, by stream_type in hexadecimal digits (ISO/IEC 13818-1 Table 2-34).
    var streams: [String: [Frame]] = [:]

    /// - Parameters:
    ///   - files: Segments of one rendition, in order.
    ///   - key: 32 hexadecimal digits of key and initialization vector; nil if they are clear.
    /// - Throws: ``Program/Failure`` if they are not what they should be.
    init(_ files: [String], key: (key: String, iv: String)? = nil) async throws {
        let script = Repository.script("TransportStreams/frames.py")
        let output = try await Program.run(
            Repository.python,
            [script] + (key.map { ["--key", $0.key, "--iv", $0.iv] } ?? []) + files
        )
        for line in output.split(separator: "\n") {
            streams.merge(try JSONDecoder().decode([String: [Frame]].self, from: Data(line.utf8)), uniquingKeysWith: +)
        }
    }
}
