import FoundationEssentials
import MediaCore
import NIOCore

/// The file that identifies a directory: the recorded stream and the format.
struct RecordingDocument: Codable, Hashable, Sendable {
    var version = currentVersion
    /// The settings of the stream that bytes, numbers and names depend on.
    var identity: [String: String]
    /// The length of a slot, in ticks of 90 kHz.
    var segmentDuration: Int64

    static let currentVersion = 1
    /// The most bytes that it can have.
    static let limit = 1 << 20

    init(identity: [String: String], segmentDuration: MediaTime) {
        (self.identity, self.segmentDuration) = (identity, segmentDuration.ticks)
    }

    /// Reads the document that identifies a directory.
    ///
    /// - Parameters:
    ///   - text: The file.
    ///   - directory: The directory, for errors.
    /// - Throws: ``RecordingError`` if it is of a later version, or malformed.
    init(reading text: ByteBuffer, in directory: String) throws(RecordingError) {
        let data = Data(text.readableBytesView)
        guard let format = try? JSONDecoder().decode(Format.self, from: data) else {
            throw .foreign(directory: directory)
        }
        if format.version > Self.currentVersion {
            throw .newerVersion(directory: directory, version: format.version)
        }
        guard let document = try? JSONDecoder().decode(Self.self, from: data) else {
            throw .foreign(directory: directory)
        }
        self = document
    }

    /// The part that every version has.
    private struct Format: Decodable {
        var version: Int
    }

    /// - Throws: The error of `JSONEncoder`.
    func file() throws -> ByteBuffer { ByteBuffer(bytes: try JSONEncoder.readable.encode(self)) }

    /// Compares the document with the stream that is to be recorded.
    ///
    /// - Throws: ``RecordingError/otherStream(directory:setting:was:is:)`` if a setting differs.
    func check(_ stream: RecordingDocument, in directory: String) throws(RecordingError) {
        var (was, now) = (identity, stream.identity)
        was["segment-duration"] = "\(MediaTime(ticks: segmentDuration))"
        now["segment-duration"] = "\(MediaTime(ticks: stream.segmentDuration))"
        for name in Set(was.keys).union(now.keys).sorted() where was[name] != now[name] {
            throw .otherStream(
                directory: directory,
                setting: name,
                was: was[name] ?? "not set",
                is: now[name] ?? "not set"
            )
        }
    }
}
