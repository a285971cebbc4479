import MediaCore
import Playlists
import Presentation

/// The path of a segment or an initialization section, below the channel's name.
struct MediaPath: Hashable, Sendable, CustomStringConvertible {
    let rendition: RenditionID
    /// The last component.
    let name: String

    /// - Parameter path: Two components that can be those of a file. The result is nil for any other path.
    init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(\.isPathComponent) else { return nil }
        (rendition, name) = (RenditionID(parts[0]), parts[1])
    }

    /// The number of the slot; nil for a path of another kind.
    var number: MediaSequenceNumber? {
        let stem = name.prefix { $0 != "." }
        guard let value = Int64(stem), (0...1 << 37).contains(value), String(value) == stem else { return nil }
        return MediaSequenceNumber(value)
    }

    var description: String { "\(rendition)/\(name)" }
}
