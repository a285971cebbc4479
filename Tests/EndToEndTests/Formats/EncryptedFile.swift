import Foundation
import Playlists
import TestSupport

/// An initialization section and its segments in one file, for what knows MP4 and a key but no playlist.
struct EncryptedFile: Sendable {
    var path: String
    /// 32 hexadecimal digits.
    var key: String
    /// The key's ID, in as many digits.
    var keyID: String

    /// FFmpeg's options to read it; not as a file that one can seek in, where FFmpeg 5.1 takes wrong initialization
    /// vectors from the second fragment on.
    var input: [String] { ["-seekable", "0", "-decryption_key", key, "-i", path] }

    /// The same where FFmpeg joins several files.
    var concatenationOptions: [String] { ["decryption_key \(key)", "seekable 0"] }
}

extension EncryptedFile {
    /// - Parameters:
    ///   - playlist: Of one key, and with absolute URIs.
    ///   - directory: Where it goes.
    /// - Throws: What the origin does not deliver.
    init(of playlist: MediaPlaylist, in directory: TemporaryDirectory) async throws {
        var file = Data()
        for uri in playlist.segments.prefix(1).compactMap({ $0.map?.uri }) + playlist.segments.map(\.uri) {
            file += try await HTTP.body(uri)
        }
        let uri = playlist.segments.first?.keys.identity?.uri ?? ""
        self.init(
            path: try directory.write(file, to: "\(UUID().uuidString).mp4"),
            key: try await HTTP.body(uri).hexadecimal,
            keyID: uri.split(separator: "/").last.map(String.init) ?? ""
        )
    }
}
