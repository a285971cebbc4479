extension ChannelConfiguration {
    /// What keeps the stream from those who are not meant to see it.
    static let protectionSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("encryption", \.encryption, .choice, affects: .stream) {
            """
            Encryption: none, aes-128 (whole segments), sample-aes (cbcs in fmp4) or sample-aes-ctr (cenc in fmp4).

            In ts sample-aes is Apple's own scheme. Apple's players have no sample-aes-ctr.
            """
        },
        BoundSetting("encrypt-init", \.encryptsInitialization, .boolean, affects: .stream) {
            """
            With aes-128 in fmp4, encrypt initialization sections too, which VLC does not read.

            Clear, they need not be repeated for each key.
            """
        },
        // Keys of a month are a slip of the pen rather than a wish.
        BoundSetting("key-rotation", \.keyRotation, .seconds(0...2_678_400), affects: .stream) {
            "How long a content key is used, rounded to whole segments; 0 is for ever."
        },
        // Its path says nothing: what is compared is a key.
        BoundSetting(
            "key-secret",
            \.keySecretFile,
            SettingType.file.compared { _ in nil }.optional,
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
        BoundSetting("late-key", \.lateKey, .choice, affects: .rolling) {
            """
            What becomes of segments whose key is late: hold, reuse, gap or fail; none is ever published in the clear.

            hold keeps them back for as long as a playlist may be late and then has gaps, reuse goes on with the key
            before, gap has gaps a quarter of a segment after the key was asked for, fail refuses playlists as well.
            Keys that derive from a master secret are hardly ever late.
            """
        },
    ]
}
