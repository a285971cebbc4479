extension ChannelConfiguration {
    /// Settings of the stream's storage besides memory.
    static let storageSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("output", \.output, SettingType.directory.optional, api: .path, example: "/srv/www/live") {
            """
            Directory where playlists and segments are also written as files; expired ones are removed.

            A playlist there never names a missing file: on a full disk it does not change, and is removed when its
            segments expire. Files of an earlier run are removed once a new playlist replaces them; files with other
            kinds of names are left alone. Only the origin serves advertisements (ads/), and keys (keys/) unless
            output-keys writes them. With --no-realtime and without window, all segments are kept, and playlists of the
            type VOD appear at the end of the file.
            """
        },
        BoundSetting(
            "output-keys",
            \.outputKeys,
            SettingType.directory.optional,
            api: .path,
            absence: "none are written",
            example: "/srv/www/live/keys"
        ) {
            """
            Directory where content keys are also written as files. Playlists in output name them keys/KEYID, so use the
            directory keys in that of output.

            Anyone who can fetch them can decrypt the stream. Only their owner may read them, unless you change that.
            Keys that no listed or retained segment needs any more are removed.
            """
        },
        BoundSetting(
            "push",
            \.push,
            listOf: "destination",
            like: "{url: \"s3://media/live\"}",
            example: """

                  - { url: "s3://media/live", region: eu-central-1, credentials: /etc/packager/s3.credentials }
                  - { url: "https://ingest.example.com/live", credentials: /etc/packager/cdn.fields }
                """,
            unit: "url",
            short: PushDescription.layer,
            check: { $0.checkPush($1) }
        ) {
            """
            Buckets and servers that playlists and segments are also sent to; expired ones are deleted.

            A playlist there never names a missing object. A store that cannot be reached delays nothing; it gets what it has
            missed once it answers again. A flag or a line in the environment has the url, with the other fields as its
            query: 's3://media/live?region=eu-central-1&expired=keep'. Keys and advertisements are not sent.
            """
        },
        BoundSetting("state", \.state, SettingType.directory.optional, api: .path, example: "/var/lib/packager") {
            "Directory that keeps secrets and the live window for the next start; without it nothing is kept."
        },
        BoundSetting(
            "record",
            \.recording.directory,
            SettingType.directory.optional,
            api: .path,
            example: "/srv/recordings"
        ) {
            """
            Directory of recordings, with a directory for each channel: viewers can start in the past.

            Its limits are record-for and record-size. A restart continues it. With state as well, the journal leaves
            segments to the recording, so that each is written once.
            """
        },
        BoundSetting("record-for", \.recording.duration, .span(60...315_360_000), api: .open) {
            """
            Time for which a recording is kept, such as 14d, 36h or 90m; older slots are removed.

            1m to 3650d, and at least twice the window. A number alone means seconds.
            """
        },
        BoundSetting(
            "record-size",
            \.recording.byteCount,
            SettingType.bytes(1 << 30...1 << 50).optional,
            api: .open,
            absence: "as much as the disk has room for",
            example: "500G"
        ) {
            """
            Bytes that the recording of a channel may take; beyond them, the oldest slots are removed.

            In bytes, or with K, M, G or T for powers of 1024: 1G to 1024T. The oldest slots are also removed if the
            disk is full. Segments that live viewers may still ask for stay.
            """
        },
        BoundSetting("time-delay", \.timeDelay, .span(0...1_209_600), api: .open, affects: .rolling) {
            """
            Time by which playlists are behind the live edge, such as 30s or 1h: viewers see everything that much later.

            0 to 14d; it needs record. Ranges of the past end that much earlier as well. output and push are not
            delayed.
            """
        },
        BoundSetting("peer", \.peer, SettingType.server.optional, api: .server, example: "http://10.0.0.2:8080") {
            """
            Origin of the other packager of a pair, with the same feeds: this one copies the live window from there at
            start.

            While both run, each asks the other once a second for its health and its BANDWIDTH. With encryption, both
            need the same key-secret.
            """
        },
        BoundSetting(
            "peer-authority",
            \.peerAuthorityFile,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            absence: "those that the system trusts",
            example: "/etc/packager/authority.pem"
        ) {
            "File with the certificates, in PEM, of the authorities to trust for a peer at https."
        },
    ]
}
