package import MediaCore
package import Playlists

/// What the multivariant playlist says of a rendition.
package struct RenditionDescription: Hashable, Sendable {
    package var id: RenditionID
    package var kind: TrackKind
    /// RFC 6381 name of its codec.
    package var codec: String
    /// Video only.
    package var resolution: Resolution?
    /// Video only; frames a second.
    package var frameRate: Ratio?
    /// Of audio, the group that it is in; of video, the group that plays with it.
    package var audioGroup: String?
    /// BCP 47.
    package var language: String?
    /// What a player shows; the identifier where there is none.
    package var name: String?
    /// Audio only; the channels that a listener hears.
    package var channels: Int?
    /// Audio only; whether a player that does not ask gets this one of its group.
    package var isDefault: Bool

    package init(
        id: RenditionID,
        kind: TrackKind,
        codec: String,
        resolution: Resolution? = nil,
        frameRate: Ratio? = nil,
        audioGroup: String? = nil,
        language: String? = nil,
        name: String? = nil,
        channels: Int? = nil,
        isDefault: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.codec = codec
        self.resolution = resolution
        self.frameRate = frameRate
        self.audioGroup = audioGroup
        self.language = language
        self.name = name
        self.channels = channels
        self.isDefault = isDefault
    }
}
