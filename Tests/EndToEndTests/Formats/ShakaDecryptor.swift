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
        let encrypted = try await EncryptedFile(of: playlist, in: directory)
        let clear = "\(encrypted.path)-clear.mp4"
        try await Program.run(
            StreamerBinaries.path("packager"),
            [
                "in=\(encrypted.path),stream=\(kind),output=\(clear)", "--enable_raw_key_decryption", "--keys",
                "label=:key_id=\(encrypted.keyID):key=\(encrypted.key)",
            ]
        )
        return clear
    }
}
