import KeyServing
import MediaCore
import PackagerConfig
import Playlists

/// The facts about keys that players get besides their names.
struct KeyDelivery {
    private var url: String?
    private var usesVariables = false
    private var tokenParameter: String?
    /// The time for which a key may be used, in seconds; nil for as long as playback lasts.
    private(set) var leaseSeconds: UInt32?
    /// The part that the members of a pair compare.
    private(set) var identity: [String: String] = [:]

    /// Makes a delivery without terms.
    init() {}

    init(_ configuration: Configuration) {
        url = configuration.keyURL
        usesVariables = configuration.usesPlaylistVariables
        leaseSeconds = configuration.keyLease > .zero ? UInt32(clamping: configuration.keyLease.secondsRoundedUp) : nil
        tokenParameter = configuration.tokenKeys.map { _ in configuration.tokenParameter }
        identity = configuration.deliveryIdentity
    }

    func addresses(ofChannel name: String) -> KeyAddresses {
        KeyAddresses(
            base: url.map { "\($0)/\(name)" },
            usesVariables: usesVariables,
            tokenParameter: tokenParameter
        )
    }
}
