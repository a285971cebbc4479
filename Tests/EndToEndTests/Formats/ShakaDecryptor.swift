import Foundation
import Playlists
import TestSupport

/// Shaka Packager, which knows nothing of our encryption but the key.
enum ShakaDecryptor {
    /// Decrypts one initialization section and its segments.
    ///
    /// - Parameters:
    ///   - playlist: Of one key, and with absolute URIs.
    ///   - kind: video or audio.
    ///   - directory: Where files go.
    /// - Returns: A file in the clear.
    /// - Throws: What Shaka Packager finds wrong.
    static func decrypt(
        _ playlist: MediaPlaylist,
        _ kind: String,
        in directory: TemporaryDirectory
    ) async throws -> String {
        let name = UUID().uuidString
        var file = Data()
        for uri in [playlist.segments[0].map?.uri ?? ""] + playlist.segments.map(\.uri) {
            file += try await HTTP.body(uri)
        }
        let (encrypted, clear) = (directory.file("\(name)-encrypted.mp4"), directory.file("\(name).mp4"))
        try file.write(to: URL(filePath: encrypted))
        let uri = playlist.segments[0].key?.uri ?? ""
        let key = try await HTTP.body(uri).map { String(format: "%02x", $0) }.joined()
        let keyID = uri.split(separator: "/").last ?? ""
        try await Program.run(
            StreamerBinaries.path("packager"),
            [
                "in=\(encrypted),stream=\(kind),output=\(clear)", "--enable_raw_key_decryption", "--keys",
                "label=:key_id=\(keyID):key=\(key)",
            ]
        )
        return clear
    }
}
