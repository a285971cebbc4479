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
        BoundSetting("state", \.state, SettingType.directory.optional, api: .path, example: "/var/lib/packager") {
            "Directory that keeps secrets and the live window for the next start; without it nothing is kept."
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
