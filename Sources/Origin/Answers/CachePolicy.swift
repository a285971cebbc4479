import MediaCore
import NIOCore
package import Presentation

/// The `Cache-Control` of a channel's resources, and the times that requests for them may wait.
///
/// The times are target durations, after RFC 8216bis Appendix B.1:
///
/// | Answer | Success | Failure | |---|---|---| | Media playlist with a requested segment or part | 6 | 4 | | Media
/// playlist as it is | 0.5 | 1 | | Part | 6 | 1 | | Segment | as long as the playlist | 1 |
///
/// A failure is kept only if the answer would stay the same.
package struct CachePolicy: Hashable, Sendable {
    let multivariantPlaylist: String
    /// The policy of a media playlist that grows.
    let livePlaylist: String
    private let blockingPlaylist: String
    private let blockingFailure: String
    /// The policy of an answer about a resource that does not exist and never will.
    let absence: String
    /// The policy of an answer about media that has left the window, or was never in it.
    private let expired: String
    private let listedMedia: String
    private let part: String
    /// The longest wait for a segment or a part (§ 6.2.5.2).
    let patience: TimeAmount
    /// The longest time between two segments (§ 6.2.1).
    let cadence: TimeAmount

    /// - Parameters:
    ///   - configuration: The configuration of the channel's presentation.
    ///   - isPaired: True if another packager publishes the same channel.
    package init(_ configuration: Presentation.Configuration, isPaired: Bool = false) {
        let targetDuration = configuration.targetDuration
        multivariantPlaylist = "public, max-age=\(targetDuration)"
        // A player reloads after a target duration, or after half of one if nothing was new (RFC 8216bis § 6.3.4). An
        // older copy would show it the same playlist twice.
        livePlaylist = "public, max-age=\(max(1, targetDuration / 2))"
        blockingPlaylist = "public, max-age=\(6 * targetDuration)"
        blockingFailure = "public, max-age=\(4 * targetDuration)"
        absence = "public, max-age=\(targetDuration)"
        // After a restart or a fault, a member of a pair may lack what the other one lists.
        expired = isPaired ? Self.unstored : absence
        // Listed media stays for the length of the playlist at least (§ 6.2.2), and its bytes never change.
        listedMedia = Self.immutable(seconds: configuration.windowDuration.ticks / MediaTime.timescale)
        part = Self.immutable(seconds: Int64(6 * targetDuration))
        patience = .seconds(Int64(3 * targetDuration))
        cadence = .milliseconds(Int64(1500 * targetDuration))
    }

    /// - Parameters:
    ///   - resource: The resource that is sent.
    ///   - isBlocking: True if the request names a segment or part that the playlist must have.
    ///   - now: The time now, in UTC.
    /// - Returns: The value of Cache-Control.
    func cacheControl(_ resource: Resource, isBlocking: Bool = false, now: MediaTime) -> String {
        switch resource.kind {
        case .multivariantPlaylist: multivariantPlaylist
        case .mediaPlaylist: isBlocking ? blockingPlaylist : livePlaylist
        case .segment, .initialization:
            resource.expires.map { Self.immutable(seconds: max(0, ($0 - now).ticks / MediaTime.timescale)) }
                ?? listedMedia
        case .part: part
        }
    }

    /// The `Cache-Control` of the key schedule, which changes with a crypto period, long before its news is needed.
    var keySchedule: String { multivariantPlaylist }

    /// The `Cache-Control` of an answer about a missing resource.
    ///
    /// It may soon appear, here or at the other packager of a pair; only expired resources of a single packager stay
    /// missing.
    func cacheControl(_ absence: Lookup.NotFound) -> String {
        switch absence {
        case .expired: expired
        case .unknown, .gap: Self.unstored
        }
    }

    /// The `Cache-Control` of the answer to malformed directives.
    func cacheControl(_ malformed: ReloadDirectives.Malformed) -> String {
        malformed.isBlocking ? blockingFailure : absence
    }

    private static let unstored = "no-store"

    private static func immutable(seconds: Int64) -> String {
        "public, max-age=\(seconds), immutable"
    }
}
