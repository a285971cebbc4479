package import KeyServing
package import NIOCore
package import Presentation

/// A channel for the origin: its publications and its keys.
package struct OriginChannel: Sendable {
    package private(set) var media: ChannelMedia
    /// The service that delivers its keys; nil if they come from elsewhere or nothing is encrypted.
    package var keys: (any KeyService)?
    /// The clients that may have the documents for the peer.
    package var peerAccess: PeerAccess
    /// Returns true if a client's address is that of the peer, which has a reserved place if strangers are admitted.
    package var isPeer: @Sendable (_ address: String) -> Bool = { _ in false }
    /// The window as JSON, for a peer; nil if there is none.
    package var window: @Sendable () -> ByteBuffer?
    /// The health as JSON, for a peer; nil if there is none.
    package var health: @Sendable () -> ByteBuffer?
    /// The posted schedule as JSON, for a peer; nil if there is none.
    package var schedule: @Sendable () -> ByteBuffer?
    /// The sources that fill the listed slots, as JSON, for viewers; nil if there is nothing to say.
    package var onAir: @Sendable () -> ByteBuffer? = { nil }
    /// True if a request for a media playlist waits for the next segment: the copy that a cache keeps is new then.
    package var holdsNext = false { didSet { takeTerms() } }
    /// True if another packager publishes the same channel, and may have what this one lacks.
    package var isPaired = false { didSet { takeTerms() } }
    /// The recording; nil if there is none.
    package var past: OriginPast? { didSet { takeTerms() } }
    /// The files of its finished assets; nil if there are none.
    package var recordings: (any RecordingFiles)?
    /// The advertisements that players play in breaks; nil if they do not come from here.
    package var ads: OriginAds?
    /// Tells players which pathway to use; nil if there is one alone.
    package var steering: ChannelSteering?
    /// The names of renditions in other languages, as JSON; nil if there are none.
    package var localizedNames: ByteBuffer?

    /// - Parameters:
    ///   - name: The name in URLs; the configuration has made sure that it consists of letters, digits, `-`, `.` and `_`.
    ///   - presentation: The published playlists and segments.
    ///   - keys: The keys that players may have; nil if nothing is encrypted.
    ///   - endpoint: Decides if playlists are served (`fail-on`).
    ///   - peerAccess: The clients that get `window`, `health` and `schedule`.
    ///   - window: Returns the window for the other member of a pair, as JSON; nil if there is none yet.
    ///   - health: Returns the health for the other member, as JSON.
    ///   - schedule: Returns the scheduled actions for the other member, as JSON.
    package init(
        name: String,
        presentation: Presentation,
        keys: (any KeyService)? = nil,
        endpoint: EndpointHealth = EndpointHealth(),
        peerAccess: PeerAccess = .nobody,
        window: @escaping @Sendable () -> ByteBuffer? = { nil },
        health: @escaping @Sendable () -> ByteBuffer? = { nil },
        schedule: @escaping @Sendable () -> ByteBuffer? = { nil }
    ) {
        precondition(name.utf8.allSatisfy(Self.isNameCharacter), "a channel's name is part of its URLs")
        media = ChannelMedia(name: name, presentation: presentation, endpoint: endpoint)
        self.keys = keys
        self.peerAccess = peerAccess
        self.window = window
        self.health = health
        self.schedule = schedule
    }

    package var name: String { media.name }
    package var presentation: Presentation { media.presentation }
    package var endpoint: EndpointHealth { media.endpoint }
    var policy: CachePolicy { media.policy }

    private mutating func takeTerms() {
        media = ChannelMedia(
            name: name,
            presentation: presentation,
            endpoint: endpoint,
            holdsNext: holdsNext,
            isDelayed: past?.delayRange != nil,
            isPaired: isPaired
        )
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}
