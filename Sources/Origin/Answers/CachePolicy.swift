import MediaCore
package import Presentation

/// The `Cache-Control` of a channel's resources.
package struct CachePolicy: Hashable, Sendable {
    /// Seconds that an answer of each kind stays good.
    private let multivariantPlaylist: String
    private let mediaPlaylist: String
    private let listedMedia: String
    private let expiredMedia: String

    package init(_ configuration: Presentation.Configuration) {
        let targetDuration = configuration.targetDuration
        multivariantPlaylist = "public, max-age=\(targetDuration)"
        // A player reloads after a target duration, or half of it where nothing was new (RFC 8216bis § 6.3.4): a copy
        // that is kept for longer than that would show it the same playlist twice.
        mediaPlaylist = "public, max-age=\(max(1, targetDuration / 2))"
        // What is listed stays for as long as the playlist is, at least (§ 6.2.2), and its bytes never change.
        listedMedia = Self.immutable(seconds: configuration.windowDuration.ticks / MediaTime.timescale)
        expiredMedia = "public, max-age=\(targetDuration)"
    }

    func cacheControl(_ resource: Resource, now: MediaTime) -> String {
        switch resource.kind {
        case .multivariantPlaylist: multivariantPlaylist
        case .mediaPlaylist: mediaPlaylist
        case .segment, .part, .initialization:
            resource.expires.map { Self.immutable(seconds: max(0, ($0 - now).ticks / MediaTime.timescale)) }
                ?? listedMedia
        }
    }

    /// The `Cache-Control` of the key schedule, which changes with a crypto period, long before its news is needed.
    var keySchedule: String { multivariantPlaylist }

    /// The `Cache-Control` where a resource is not there: it may be there in a moment, here or at the other packager of
    /// a pair, and only what has expired stays away.
    func cacheControl(_ absence: Lookup.NotFound) -> String {
        switch absence {
        case .expired: expiredMedia
        case .unknown, .gap: "no-store"
        }
    }

    private static func immutable(seconds: Int64) -> String {
        "public, max-age=\(seconds), immutable"
    }
}
