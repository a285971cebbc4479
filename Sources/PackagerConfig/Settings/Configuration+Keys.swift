import MediaCore

extension Configuration {
    /// Settings about the delivery of keys.
    static let keySettings: [BoundSetting<Configuration>] = [
        BoundSetting(
            "keys-listen",
            \.keysListen,
            SettingType.address.optional,
            absence: "the origin's own address",
            example: "0.0.0.0:8443"
        ) {
            """
            Separate address for keys and licences.

            The origin then does not serve them. With key-url, playlists name them there. Without it, playlists name
            them relative to themselves, and a proxy must send /NAME/keys/, /NAME/clearkey and /NAME/fairplay to this
            address.
            """
        },
        BoundSetting(
            "key-url",
            \.keyURL,
            SettingType.baseURL.optional,
            affects: .rolling,
            absence: "relative to the playlists",
            example: "https://keys.example.com"
        ) {
            """
            URL below which players find keys and Clear Key licences, at NAME/keys/KEYID and NAME/clearkey.

            Playlists and keys.json name it in full, wherever the playlists themselves are.
            """
        },
        BoundSetting("playlist-variables", \.usesPlaylistVariables, .boolean, affects: .rolling) {
            """
            Define variables in playlists (EXT-X-DEFINE): for the key-url, and with token-keys for the viewer's token.

            A player that opens index.m3u8?token=… then asks for keys with the same token, and playlists stay the same
            for all. Nobody can play them without a token, and players that do not know the tag (FFmpeg, VLC) get no
            keys.
            """
        },
        BoundSetting(
            "keys-certificate",
            \.keysCertificate,
            SettingType.file.optional,
            absence: "that of tls-certificate",
            example: "/etc/packager/keys.pem"
        ) {
            "Certificate chain of keys-listen in PEM, if it differs from tls-certificate."
        },
        BoundSetting(
            "keys-private-key",
            \.keysPrivateKey,
            SettingType.file.optional,
            absence: "that of tls-certificate",
            example: "/etc/packager/keys.key"
        ) {
            "Private key of keys-certificate in PEM, without a passphrase."
        },
        // Each member of a pair may get it from another place; with it, playlists pass tokens on.
        BoundSetting(
            "token-keys",
            \.tokenKeys,
            SettingType.fileOrURL.compared { _ in "given" }.optional,
            affects: .rolling,
            absence: "everybody gets keys",
            example: "https://login.example.com/jwks.json"
        ) {
            """
            JSON Web Key Set to verify tokens; with it, nobody gets a key without a token.

            A token is a JSON Web Token (HS256, ES256, RS256) with exp and channel, a name or a list. It may also have
            nbf, sub, classes (video, audio), persistent, lease, rental, storage and playback (seconds). Players send it
            as Authorization: Bearer, or as a query parameter. It must name its key (kid), unless only one of the set
            fits. The packager reads the set again every five minutes, and when it lacks a key. If that fails, the
            former set stays in use.
            """
        },
        BoundSetting(
            "token-audience",
            \.tokenAudience,
            SettingType.claim.optional,
            absence: "tokens for any audience",
            example: "https://keys.example.com"
        ) {
            """
            The audience (aud) that tokens must name; tokens with another or none get no key.

            Set it: otherwise tokens that the same issuer has signed for another purpose may open keys (RFC 8725 § 3.9).
            """
        },
        BoundSetting(
            "token-issuer",
            \.tokenIssuer,
            SettingType.claim.optional,
            absence: "any issuer whose key is in token-keys",
            example: "https://login.example.com"
        ) {
            "The issuer (iss) that tokens must name; tokens with another or none get no key. Set it as well."
        },
        BoundSetting("token-parameter", \.tokenParameter, .queryName, affects: .rolling) {
            "Query parameter for the token, if it is not sent as Authorization: Bearer."
        },
        BoundSetting("token-media", \.tokenMedia, .choice) {
            """
            Playlists and segments need a token as well: path, cookie, or off.

            A viewer sends the token with the request for the playlist, and gets a pass until the token expires. With
            path, the pass is at the beginning of the paths (/t/…/NAME/…), which works in every player. With cookie, it
            is in a cookie. Caches with the secret of token-media-secret verify passes themselves. Tokens are refused as
            for keys, and count for key-rate.
            """
        },
        BoundSetting(
            "token-media-secret",
            \.tokenMediaSecret,
            SettingType.file.optional,
            example: "/etc/packager/pass-secret"
        ) {
            """
            File with the secret that signs the passes of token-media; only its owner may read it.

            32 to 64 characters in one line. Both members of a pair and their caches need the same secret.
            """
        },
        BoundSetting(
            "key-rate",
            \.keyRate,
            SettingType.requests.optional,
            absence: "any number",
            example: "120"
        ) {
            "Limit of requests for keys in a minute, for a token or, without one, for an address."
        },
        BoundSetting("key-lease", \.keyLease, .seconds(0...4_294_967_294), affects: .rolling) {
            """
            Time after which a player must ask for a key again; 0 is never.

            A token may have a shorter lease. FairPlay devices enforce it. Clear Key licences and keys.json only ask
            other players for it; the player page renews keys at a random moment before.
            """
        },
        BoundSetting(
            "fairplay-certificate",
            \.fairPlayCertificates,
            SettingType.files,
            example: "/etc/packager/fairplay.cer"
        ) {
            """
            FairPlay application certificate in DER; with it, Apple's devices get keys at /NAME/fairplay.

            Give several while one replaces another.
            """
        },
        BoundSetting(
            "fairplay-private-key",
            \.fairPlayPrivateKeys,
            SettingType.files,
            example: "/etc/packager/fairplay.pem"
        ) {
            "Private key of a fairplay-certificate in PEM, without a passphrase; in the order of the certificates."
        },
        BoundSetting(
            "fairplay-provisioning",
            \.fairPlayProvisioning,
            SettingType.files,
            example: "/etc/packager/fairplay.bin"
        ) {
            "Apple's provisioning data of a fairplay-certificate, if the plug-in does not have it; in the order of the certificates."
        },
        BoundSetting(
            "fairplay-provider",
            \.fairPlayProvider,
            SettingType.file.optional,
            example: "/usr/lib/packager/fairplay.so"
        ) {
            "Plug-in that wraps keys for Apple's devices: a shared library made with fairplay_provider.h."
        },
        BoundSetting(
            "fairplay-hdcp",
            \.fairPlayHDCP,
            SettingType<DisplayProtection>.choice.optional,
            absence: "from hdcp-level, the key source or the class",
            example: "type-1"
        ) {
            """
            HDCP that displays need for FairPlay video: none, type-0 or type-1.

            Without it, the channel's hdcp-level applies. If that is automatic, the level comes from the key source
            (HDCPData of CPIX) or from the class of the key: none for sd, type-0 for hd, type-1 for uhd and hdr. For a
            key for all video, the device then decides.
            """
        },
    ]
}
