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
        try await decrypt([EncryptedFile(of: playlist, in: directory)], kind)[0]
    }

    /// Decrypts files, each with what of all their keys has the ID that it names.
    ///
    /// - Parameters:
    ///   - files: Of one track each.
    ///   - kind: video or audio.
    /// - Returns: Files in the clear.
    /// - Throws: What Shaka Packager finds wrong.
    static func decrypt(_ files: [EncryptedFile], _ kind: String) async throws -> [String] {
        let clear = files.map { "\($0.path)-clear.mp4" }
        let streams = zip(files, clear).map { "in=\($0.path),stream=\(kind),output=\($1)" }
        let keys = files.enumerated().map { "label=\($0):key_id=\($1.keyID):key=\($1.key)" }
        try await Program.run(
            StreamerBinaries.path("packager"),
            streams + ["--enable_raw_key_decryption", "--keys", keys.joined(separator: ",")]
        )
        return clear
    }
}
