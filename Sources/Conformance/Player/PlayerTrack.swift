/// The tracks that a player downloads side by side.
package enum PlayerTrack: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The variant's own media playlist; it may carry audio as well.
    case video
    /// An audio rendition with a media playlist of its own.
    case audio
}
