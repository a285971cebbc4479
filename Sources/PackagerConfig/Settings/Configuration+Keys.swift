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
            Address where players get keys and licences, if not where they get media.

            The origin then has none of them. With key-url playlists name them there. Without it they name them relative
            to themselves: a proxy in front has to send /NAME/keys/, /NAME/clearkey and /NAME/fairplay to this address.
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
            Playlists define variables (EXT-X-DEFINE): for the key-url, and with token-keys for the viewer's token.

            A player that asks for index.m3u8?token=… then asks for keys with the same token, and playlists stay the
            same for all. Nobody plays them without one, and players that do not know the tag (FFmpeg, VLC) get no keys.
            """
        },
        BoundSetting(
            "keys-certificate",
            \.keysCertificate,
            SettingType.file.optional,
            absence: "that of tls-certificate",
            example: "/etc/packager/keys.pem"
        ) {
            "Certificate of keys-listen in PEM, with those that it is signed by, if not tls-certificate."
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
        // Each member of a pair may have it from elsewhere; playlists pass tokens on where it is there.
        BoundSetting(
            "token-keys",
            \.tokenKeys,
            SettingType.fileOrURL.compared { _ in "given" }.optional,
            affects: .rolling,
            absence: "everybody gets keys",
            example: "https://login.example.com/jwks.json"
        ) {
            """
            JSON Web Key Set by which tokens are verified: then nobody gets a key without one.

            A token is a JSON Web Token (HS256, ES256, RS256) with exp and channel, a name or a list; nbf, sub, classes
            (video, audio), persistent, lease, rental, storage and playback (seconds) may be there. It comes as
            Authorization: Bearer, or as a query parameter. It names its key (kid), unless only one of the set fits. The
            set is read again every five minutes, and for keys that are not in it; where that fails, the last one holds.
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
            The audience (aud) that tokens have to name: others, and those without one, get no key.

            Set it: otherwise tokens that the same issuer has signed for something else may open keys (RFC 8725 § 3.9).
            """
        },
        BoundSetting(
            "token-issuer",
            \.tokenIssuer,
            SettingType.claim.optional,
            absence: "any that has signed by one of the token-keys",
            example: "https://login.example.com"
        ) {
            "The issuer (iss) that tokens have to name: others, and those without one, get no key. Set it as well."
        },
        BoundSetting("token-parameter", \.tokenParameter, .queryName, affects: .rolling) {
            "Query parameter in which a token comes where it does not come as Authorization: Bearer."
        },
        BoundSetting("token-media", \.tokenMedia, .choice) {
            """
            Playlists and segments need a token as well: path, cookie, or off.

            A viewer shows the token with the address of the playlist, as for keys, and gets a pass until the token expires: at
            the beginning of the paths (/t/…/NAME/…), which every player takes along, or in a cookie. Caches that have the
            secret of token-media-secret verify it themselves. Tokens are refused as for keys, and counted by key-rate.
            """
        },
        BoundSetting(
            "token-media-secret",
            \.tokenMediaSecret,
            SettingType.file.optional,
            example: "/etc/packager/pass-secret"
        ) {
            """
            File with the secret that passes of token-media are signed by: 32 to 64 characters in one line.

            Both members of a pair and the caches in front of them have the same.
            """
        },
        BoundSetting(
            "key-rate",
            \.keyRate,
            SettingType.requests.optional,
            absence: "any number",
            example: "120"
        ) {
            "Requests for keys a minute, with one token or else from one address."
        },
        BoundSetting("key-lease", \.keyLease, .seconds(0...4_294_967_294), affects: .rolling) {
            """
            Time that a key may be used before a player has to ask for it again; 0 is for as long as it plays.

            A token may say less (lease). Devices with FairPlay are held to it; of others, Clear Key licences and
            keys.json ask for it, and the player page renews keys at a random moment before.
            """
        },
        BoundSetting(
            "fairplay-certificate",
            \.fairPlayCertificates,
            SettingType.files,
            example: "/etc/packager/fairplay.cer"
        ) {
            """
            FairPlay application certificate in DER; with it, devices of Apple get keys at /NAME/fairplay.

            Several are valid at once, while one replaces another.
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
            "Apple's provisioning data of a fairplay-certificate, where the plug-in does not know it; in their order."
        },
        BoundSetting(
            "fairplay-provider",
            \.fairPlayProvider,
            SettingType.file.optional,
            example: "/usr/lib/packager/fairplay.so"
        ) {
            "Plug-in that wraps keys for devices of Apple: a shared library made with fairplay_provider.h."
        },
        BoundSetting(
            "fairplay-hdcp",
            \.fairPlayHDCP,
            SettingType<DisplayProtection>.choice.optional,
            absence: "what hdcp-level says, or the key source, or the class",
            example: "type-1"
        ) {
            """
            Protection that displays must have for video of FairPlay: none, type-0 or type-1.

            Without it the channel's hdcp-level holds. Where that is automatic, it is what the key source says of a key
            (HDCPData of CPIX), or follows from its class: none of sd, type-0 of hd, type-1 of uhd and hdr. Of a key for
            all video it is then what the device wants.
            """
        },
    ]
}
