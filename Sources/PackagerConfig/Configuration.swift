package import Logging
package import MediaCore
package import Operations

/// The configuration of one process.
///
/// A property's initial value is the default of its setting.
package struct Configuration: Hashable, Sendable {
    /// The address of the origin.
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The address of the control API.
    package var control = ListenAddress(host: "127.0.0.1", port: 8081)
    /// The address of keys and licences, if they have one of their own; nil for the origin's.
    package var keysListen: ListenAddress?
    /// PEM; nil if keys are given out over plain HTTP, behind a proxy.
    package var keysCertificate: String?
    /// PEM, without a passphrase.
    package var keysPrivateKey: String?
    /// The URL that playlists name keys below, the channel's name first; nil for URIs relative to the playlists.
    package var keyURL: String?
    /// True if playlists define variables for the beginning and end of their key URIs.
    package var usesPlaylistVariables = false
    /// The JSON Web Key Set that tokens are verified by: a file or a URL; nil if keys need no token.
    package var tokenKeys: String?
    /// The audience that tokens have to be for; nil for any.
    package var tokenAudience: String?
    /// The issuer that tokens have to be from; nil for any whose keys are in the set.
    package var tokenIssuer: String?
    /// The query parameter that may carry a token.
    package var tokenParameter = "token"
    /// The place of the pass to playlists and media that viewers get for a token.
    package var tokenMedia = TokenMedia.off
    /// The file of the secret that passes are signed by.
    package var tokenMediaSecret: String?
    /// Requests for keys a minute, of one token or address; nil for any number.
    package var keyRate: Int?
    /// The time for which a key may be used before the next request; zero for as long as playback lasts.
    package var keyLease = MediaTime.zero
    /// FairPlay application certificates in DER, all valid at once.
    package var fairPlayCertificates: [String] = []
    /// PEM of the certificates, in their order.
    package var fairPlayPrivateKeys: [String] = []
    /// Apple's provisioning data of the certificates, in their order; none if the plug-in knows it.
    package var fairPlayProvisioning: [String] = []
    /// The plug-in with Apple's secret functions.
    package var fairPlayProvider: String?
    /// The HDCP that displays must have for video; nil for the level of its key.
    package var fairPlayHDCP: DisplayProtection?
    /// PEM, of every server that has no other; nil for plain HTTP.
    package var certificate: String?
    /// PEM, without a passphrase.
    package var privateKey: String?
    /// PEM, of the control API alone.
    package var controlCertificate: String?
    /// PEM, without a passphrase.
    package var controlPrivateKey: String?
    /// The PEM file of the authorities for clients' certificates; nil if none are requested.
    package var controlClientAuthority: String?
    /// The file of the tokens of the control API; nil if it needs none.
    package var controlTokens: String?
    /// The places that channels may name which come by the control API, besides feeds by network.
    var apiAllow: [AllowedPlace] = []
    /// Connections to the public origin from one address; nil for half of all there may be.
    package var connectionsPerAddress: Int?
    /// The least severe level that is logged.
    package var logLevel = Logger.Level.info
    package var logFormat = LogFormat.text
    /// The file of the access log; `-` for standard output, nil for none.
    package var accessLog: String?
    /// The time that events are kept, if there is a state directory.
    package var eventRetention = MediaTime(seconds: 30 * 86_400)
    /// Bytes that they may take.
    package var eventStorage = 256 << 20
    /// The webhooks that get events.
    package var webhooks: [WebhookDescription] = []
    /// The channels, at least one; their names differ.
    package var channels: [ChannelConfiguration] = []
    /// Warnings about settings that work but may be mistakes.
    package var warnings: [ConfigurationProblem] = []
    /// True if standard output names the origin's address; a job's is named only if it was given.
    package var isListenAnnounced = true
    /// True if standard output names the address of the control API.
    package var isControlAnnounced = true
}
