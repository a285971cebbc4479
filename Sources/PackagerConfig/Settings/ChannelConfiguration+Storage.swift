extension ChannelConfiguration {
    /// Settings of the places where the stream is kept besides memory.
    static let storageSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("output", \.output, SettingType.directory.optional, api: .path, example: "/srv/www/live") {
            """
            Directory where playlists and segments are also written as files; expired ones are removed.

            A playlist there never names a file that is missing: on a full disk it stays as it is, and goes when its
            segments expire. Files that an earlier run has left are removed once there is a playlist to replace them;
            files that are not named as this program names files are left alone. Only the origin serves advertisements
            (ads/), and keys (keys/) unless output-keys says where to write them. Of a file that is read with
            --no-realtime all is kept, unless window is given: playlists of the type VOD are there once it has come to
            its end.
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
            Directory where content keys are also written as files. Playlists in output name them keys/KEYID: they are
            found if this is the directory keys in that of output.

            Anyone who can fetch them can decrypt. Only their owner may read them, until somebody says otherwise. Keys
            that no listed or retained segment needs any more are removed.
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

            A playlist there never names an object that is missing. A store that is away holds nothing up: what it has
            missed is sent once it answers again. A flag or a line in the environment says the url, and the other fields
            as its query: 's3://media/live?region=eu-central-1&expired=keep'. Keys and advertisements are not sent.
            """
        },
        BoundSetting("state", \.state, SettingType.directory.optional, api: .path, example: "/var/lib/packager") {
            "Directory that keeps secrets and the live window for the next start; without it nothing is kept."
        },
        BoundSetting("record", \.record, SettingType.directory.optional, api: .path, example: "/srv/recordings") {
            """
            Directory where the channel is recorded, in a directory of its name: viewers can start in the past.

            What is published is kept for record-for, and within record-size. A restart goes on with the recording. With
            state as well, the journal leaves segments to the recording, so that each is written once.
            """
        },
        BoundSetting("record-for", \.recordDuration, .span(60...315_360_000), api: .open) {
            """
            Time for which a recording is kept, such as 14d, 36h, 90m or 30s; what is older is removed.

            1m to 3650d, and at least twice the window. A number alone is of seconds.
            """
        },
        BoundSetting(
            "record-size",
            \.recordByteCount,
            SettingType.bytes(1 << 30...1 << 50).optional,
            api: .open,
            absence: "as much as the disk has room for",
            example: "500G"
        ) {
            """
            Bytes that the recording of a channel may take; the oldest are removed.

            In bytes, or with K, M, G or T for powers of 1024: 1G to 1024T. Also if the disk is full, the oldest are
            removed. Segments that viewers of the live window may still ask for stay.
            """
        },
        BoundSetting("time-delay", \.timeDelay, .span(0...1_209_600), api: .open, affects: .rolling) {
            """
            Time by which playlists are behind the live edge, such as 30s or 1h: viewers see everything that much later.

            0 to 14d; it needs record. A range that is asked for ends as early. What output and push have is not
            delayed.
            """
        },
        BoundSetting("peer", \.peer, SettingType.server.optional, api: .server, example: "http://10.0.0.2:8080") {
            """
            Origin of this packager's peer, which is fed the same: the live window is taken from there at start.

            While both run, each asks the other once a second how it does and what BANDWIDTH it declares. With
            encryption both need one key-secret.
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
            "File with certificates, in PEM, of the authorities that must have signed that of a peer at https."
        },
    ]
}
