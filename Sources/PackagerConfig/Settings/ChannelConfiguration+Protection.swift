extension ChannelConfiguration {
    /// Settings that keep the stream from those who are not meant to see it.
    static let protectionSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("encryption", \.encryption, .choice, api: .open, affects: .stream) {
            """
            Encryption: none, aes-128 (whole segments), aes-256-gcm (the same, newer and seldom known), sample-aes (cbcs in
            fmp4) or sample-aes-ctr (cenc in fmp4).

            In ts sample-aes is Apple's own scheme. Apple's players have no sample-aes-ctr. With aes-256-gcm, whose keys are
            always derived, players notice a segment that somebody has changed; few know it, and nothing is listed for fast
            motion.
            """
        },
        BoundSetting("encrypt-init", \.encryptsInitialization, .boolean, api: .open, affects: .stream) {
            """
            Encrypt initialization sections too, with aes-128 or aes-256-gcm in fmp4; VLC does not read them.

            Clear, they need not be repeated for each key.
            """
        },
        BoundSetting(
            "drm",
            \.drm,
            .keySystems,
            api: .open,
            affects: .stream,
            absence: "none",
            example: "[fairplay, widevine]"
        ) {
            """
            Key systems whose licence servers give players the keys: fairplay, widevine, playready, clearkey.

            Playlists and initialization sections then say what their clients need, and the origin does not give the
            keys to everyone who asks. In fmp4 sample-aes can have all of them, sample-aes-ctr all but fairplay; in ts
            sample-aes has fairplay alone.
            """
        },
        BoundSetting("identity-key", \.offersIdentityKey, .boolean, api: .open, affects: .stream) {
            """
            Offer the key itself, beside a drm, to anyone who asks, for tests.

            Players that have the key need no licence.
            """
        },
        BoundSetting("session-keys", \.offersSessionKeys, .boolean, api: .open, affects: .rolling) {
            """
            The multivariant playlist names the keys of this crypto period and the next; not with --no-session-keys.

            Players fetch them early by that. Some old ones fail on them.
            """
        },
        BoundSetting("key-hint", \.keyHint, .choice, api: .open, affects: .rolling) {
            """
            The key system whose next key media playlists announce: automatic (the first of drm), none, fairplay,
            widevine, playready, clearkey or identity.

            EXT-X-PRELOAD-HINT with TYPE=KEY, a crypto period ahead, with the date of first use: players that know it fetch the
            key at a random moment before. Others pass over it.
            """
        },
        BoundSetting(
            "key-spread",
            \.keySpread,
            SettingType.seconds(1...2_678_400).optional,
            api: .open,
            affects: .rolling,
            absence: "as long as a crypto period leaves",
            example: "60"
        ) {
            """
            Time before a change of keys in which players fetch the new one, each at a random moment, as keys.json says.

            It ends three seconds before the change.
            """
        },
        BoundSetting("hdcp-level", \.hdcpLevel, .choice, api: .open, affects: .rolling) {
            """
            HDCP-LEVEL of the variants with video, if there is a drm: automatic, none (nothing is said), type-0 or
            type-1.

            With automatic it is what the key source says of the key (HDCPData of CPIX). Otherwise it is type-0 from 720
            to 1080 lines, and type-1 above.
            """
        },
        BoundSetting(
            "allowed-cpc",
            \.allowedCPC,
            SettingType.quotable.optional,
            api: .open,
            affects: .rolling,
            absence: "what the key source says",
            example: "com.apple.streamingkeydelivery:AppleMain/Main"
        ) {
            """
            ALLOWED-CPC of the variants with video, if there is a drm: the protection that a player has to be capable
            of, by KEYFORMAT.

            Systems are separated by commas, the configurations of one by slashes. Without this setting it is what the
            key source says of each key (HLSAllowedCPC of CPIX), if anything.
            """
        },
        // Keys of a month are a slip of the pen rather than a wish.
        BoundSetting("key-rotation", \.keyRotation, .seconds(0...2_678_400), api: .open, affects: .stream) {
            "Time that a content key is used, rounded to whole segments; 0 is for ever."
        },
        BoundSetting("clear-lead", \.clearLead, .seconds(0...86_400), api: .open, affects: .stream) {
            """
            Length of the media in the clear when the channel first begins, rounded up to whole segments; 0 is none.

            Players can begin before they have a licence: playlists name the keys from the start. A restart that goes on
            from a state directory or a peer has none.
            """
        },
        BoundSetting(
            "key-classes",
            \.keyClasses,
            .videoClasses,
            api: .open,
            affects: .stream,
            absence: "one key for all video",
            example: "[hd, uhd]"
        ) {
            """
            Classes of video that have content keys of their own: sd (below 720 lines), hd (to 1080), uhd (above), hdr
            (PQ or HLG of any size). Classes that are not named share one key; audio always has its own.

            Licences can then differ in what they let a viewer see. Few devices decrypt with more than six keys at a
            time, and a player needs those of all classes that it changes between, now and next.
            """
        },
        BoundSetting("key-source", \.keySource, .keySource, api: .keySource, affects: .stream) {
            """
            The source of content keys: derived, file:PATH, cpix:PATH, cpix:URL or speke:URL.

            With derived they are made of the master secret. With speke a key server is asked by SPEKE 2.1 or 2.0. With
            cpix a CPIX document is read, with file lines of JSON such as {"period": 5929921, "class": "video", "keyID":
            "…", "key": "…"}, in hexadecimal digits, with an "iv" or without. Both are read again when they lack a
            period. Only their owner may read the files. With every source the origin gives the keys to players, and the
            members of a pair still show each other that they hold the same master secret.
            """
        },
        // It is a secret itself, and another one for each member of a pair.
        BoundSetting(
            "key-credentials",
            \.keyCredentialsFile,
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
            \.keyAuthorityFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "those that the system trusts",
            example: "/etc/packager/authority.pem"
        ) {
            "File with certificates, in PEM, of the authorities that must have signed that of a key server at https."
        },
        BoundSetting(
            "key-recipient",
            \.keyRecipientFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "they come in the clear",
            example: "/etc/packager/recipient.pem"
        ) {
            """
            File with the private key for which content keys are encrypted in CPIX documents, and its certificate, in PEM;
            only its owner may read it.

            A key server is sent the certificate, and encrypts its answer.
            """
        },
        BoundSetting(
            "key-signer",
            \.keySignerFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "nobody",
            example: "/etc/packager/provider.pem"
        ) {
            """
            File with the certificate, in PEM, that a CPIX document has to be signed with as a whole.

            Signatures are verified wherever there are any. SPEKE has none.
            """
        },
        BoundSetting(
            "content-id",
            \.givenContentID,
            SettingType.contentID.optional,
            api: .open,
            affects: .stream,
            isOfOneChannel: true,
            absence: "the channel's name",
            example: "news-hd"
        ) {
            "The name by which a key server knows the channel (CPIX@contentId). Key IDs are made of it."
        },
        // Its path says nothing: what is compared is a key.
        BoundSetting(
            "key-secret",
            \.keySecretFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            affects: .stream,
            absence: "made in --state",
            example: "/etc/packager/master.key"
        ) {
            """
            File with the master secret that keys derive from; only its owner may read it.

            32 bytes or 64 hexadecimal digits, as `openssl rand -hex 32` prints, with mode 600. In the state directory
            it is called master.key; without a state directory there is a random secret that ends with the process.
            """
        },
        BoundSetting("accept-new-secret", \.acceptsNewSecret, .boolean) {
            """
            Start although segments that the state directory lists were encrypted with keys of another master secret.

            Those keys are gone: their segments leave the window, which begins anew with the next one under a new key.
            Without it nothing starts.
            """
        },
        BoundSetting("late-key", \.lateKey, .choice, api: .open, affects: .rolling) {
            """
            Treatment of segments whose key is late: hold, reuse, gap or fail; none is ever published in the clear.

            With hold they are kept back for as long as a playlist may be late, and are gaps after that. With reuse the
            key before stays in use. With gap they are gaps a quarter of a segment after the key was asked for; fail
            refuses playlists as well. Keys that derive from a master secret are hardly ever late.
            """
        },
    ]
}
