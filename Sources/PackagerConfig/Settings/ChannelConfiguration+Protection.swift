extension ChannelConfiguration {
    /// The settings that protect the stream.
    static let protectionSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("encryption", \.encryption, .choice, api: .open, affects: .stream) {
            """
            Encryption: none, aes-128 (whole segments), aes-256-gcm (the same, newer, in few players), sample-aes (cbcs
            in fmp4) or sample-aes-ctr (cenc in fmp4).

            In ts, sample-aes is Apple's own scheme. Apple's players do not support sample-aes-ctr. With aes-256-gcm,
            players notice a segment that was changed. Its keys are always derived, few players support it, and there
            are no I-frame playlists for trick play.
            """
        },
        BoundSetting("encrypt-init", \.encryptsInitialization, .boolean, api: .open, affects: .stream) {
            """
            Encrypt initialization sections too, with aes-128 or aes-256-gcm in fmp4; VLC does not read them.

            In the clear, they need not be repeated for each key.
            """
        },
        BoundSetting(
            "drm",
            \.keys.drm,
            .keySystems,
            api: .open,
            affects: .stream,
            absence: "none",
            example: "[fairplay, widevine]"
        ) {
            """
            Key systems whose licence servers give players the keys: fairplay, widevine, playready, clearkey.

            Playlists and initialization sections then contain what these systems need, and the origin no longer gives
            the keys to everyone who asks. In fmp4, sample-aes supports all of them, and sample-aes-ctr all but
            fairplay. In ts, sample-aes supports only fairplay.
            """
        },
        BoundSetting("identity-key", \.keys.offersIdentity, .boolean, api: .open, affects: .stream) {
            """
            Give the key itself to everyone who asks, in addition to a drm; for tests.

            Players with the key need no licence.
            """
        },
        BoundSetting("session-keys", \.keys.offersSessionKeys, .boolean, api: .open, affects: .rolling) {
            """
            Name the keys of this crypto period and the next in the multivariant playlist (not with --no-session-keys).

            Players then fetch keys early. Some old players fail because of them.
            """
        },
        BoundSetting("key-hint", \.keys.hint, .choice, api: .open, affects: .rolling) {
            """
            The key system whose next key media playlists announce: automatic (the first of drm), none, fairplay,
            widevine, playready, clearkey or identity.

            EXT-X-PRELOAD-HINT with TYPE=KEY, a crypto period ahead, with the date of first use. Players that know it
            fetch the key at a random moment before; others ignore it.
            """
        },
        BoundSetting(
            "key-spread",
            \.keys.spread,
            SettingType.seconds(1...2_678_400).optional,
            api: .open,
            affects: .rolling,
            absence: "as long as the crypto period allows",
            example: "60"
        ) {
            """
            Time before a key change in which players fetch the new key, each at a random moment (see keys.json).

            It ends three seconds before the change.
            """
        },
        BoundSetting("hdcp-level", \.keys.hdcpLevel, .choice, api: .open, affects: .rolling) {
            """
            HDCP-LEVEL of the variants with video, if there is a drm: automatic, none (no attribute), type-0 or type-1.

            With automatic, it comes from the key source (HDCPData of CPIX). If that has none, it is type-0 from 720 to
            1080 lines, and type-1 above.
            """
        },
        BoundSetting(
            "allowed-cpc",
            \.keys.allowedCPC,
            SettingType.quotable.optional,
            api: .open,
            affects: .rolling,
            absence: "from the key source",
            example: "com.apple.streamingkeydelivery:AppleMain/Main"
        ) {
            """
            ALLOWED-CPC of the variants with video, if there is a drm: the protection that a player must support, by
            KEYFORMAT.

            Separate systems by commas, and the configurations of one by slashes. Without this setting, the value comes
            from the key source for each key (HLSAllowedCPC of CPIX), if it has one.
            """
        },
        // Keys of a month are a slip of the pen rather than a wish.
        BoundSetting("key-rotation", \.keys.rotation, .seconds(0...2_678_400), api: .open, affects: .stream) {
            "Time for which a content key is used, rounded to whole segments; 0 never changes it."
        },
        BoundSetting("clear-lead", \.keys.clearLead, .seconds(0...86_400), api: .open, affects: .stream) {
            """
            Length of the media in the clear at the channel's first start, rounded up to whole segments; 0 is none.

            Players can begin before they have a licence; playlists name the keys from the start. A restart that
            continues from a state directory or a peer has no clear lead.
            """
        },
        BoundSetting(
            "key-classes",
            \.keys.classes,
            .videoClasses,
            api: .open,
            affects: .stream,
            absence: "one key for all video",
            example: "[hd, uhd]"
        ) {
            """
            Classes of video with their own content keys: sd (below 720 lines), hd (to 1080), uhd (above), hdr (PQ or
            HLG of any size). Other classes share one key; audio always has its own.

            Licences can then give viewers different rights. A player needs the present and the next keys of all classes
            that it switches between, and few devices hold more than six.
            """
        },
        BoundSetting("key-source", \.keys.source, .keySource, api: .keySource, affects: .stream) {
            """
            The source of content keys: derived, file:PATH, cpix:PATH, cpix:URL or speke:URL.

            With derived, they come from the master secret. With speke, the packager asks a key server by SPEKE 2.1 or
            2.0. With cpix, it reads a CPIX document; with file, lines of JSON such as {"period": 5929921, "class":
            "video", "keyID": "…", "key": "…"}, in hexadecimal digits, with or without an "iv". The packager reads both
            again when they lack a period. Only their owner may read the files. With every source, the origin gives the
            keys to players, and the members of a pair need the same master secret.
            """
        },
        // It is a secret itself, and another one for each member of a pair.
        BoundSetting(
            "key-credentials",
            \.keys.credentialsFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "none",
            example: "/etc/packager/key-server.fields"
        ) {
            """
            File with header fields for the key server, each on a line, such as 'Authorization: Bearer …'; only its owner
            may read it.
            """
        },
        BoundSetting(
            "key-authority",
            \.keys.authorityFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "those that the system trusts",
            example: "/etc/packager/authority.pem"
        ) {
            "File with the certificates, in PEM, of the authorities to trust for a key server at https."
        },
        BoundSetting(
            "key-recipient",
            \.keys.recipientFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "they come in the clear",
            example: "/etc/packager/recipient.pem"
        ) {
            """
            File with the private key that decrypts the content keys in CPIX documents, and its certificate, in PEM;
            only its owner may read it.

            The packager sends the certificate to a key server, which encrypts its answer.
            """
        },
        BoundSetting(
            "key-signer",
            \.keys.signerFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "nobody",
            example: "/etc/packager/provider.pem"
        ) {
            """
            File with the certificate, in PEM, that must have signed the whole CPIX document.

            The packager verifies every signature that it finds. SPEKE has none.
            """
        },
        BoundSetting(
            "content-id",
            \.keys.givenContentID,
            SettingType.contentID.optional,
            api: .open,
            affects: .stream,
            isOfOneChannel: true,
            absence: "the channel's name",
            example: "news-hd"
        ) {
            "The name of the channel at a key server (CPIX@contentId). Key IDs depend on it."
        },
        // A key is compared, not the path.
        BoundSetting(
            "key-secret",
            \.keys.secretFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            affects: .stream,
            absence: "made in --state",
            example: "/etc/packager/master.key"
        ) {
            """
            File with the master secret that keys derive from; only its owner may read it.

            32 bytes or 64 hexadecimal digits, as `openssl rand -hex 32` prints, with mode 600. In the state directory
            it is called master.key. Without a state directory, a random secret is lost when the process ends.
            """
        },
        BoundSetting("accept-new-secret", \.keys.acceptsNewSecret, .boolean) {
            """
            Start even if segments in the state directory were encrypted with keys of another master secret.

            Nobody can get those keys any more, so the window drops these segments and begins anew with a new key.
            Without this setting, the packager does not start.
            """
        },
        BoundSetting("late-key", \.keys.lateKey, .choice, api: .open, affects: .rolling) {
            """
            Treatment of segments whose key is late: hold, reuse, gap or fail; they are never published in the clear.

            With hold, they wait as long as a playlist may be late, then become gaps. With reuse, the previous key stays
            in use. With gap, they become gaps a quarter of a segment after the request for the key; fail also refuses
            playlists. Keys that derive from a master secret are hardly ever late.
            """
        },
    ]
}
