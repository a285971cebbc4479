extension Configuration {
    /// Settings about the encryption of connections, and access to the control API.
    static let securitySettings: [BoundSetting<Configuration>] = [
        BoundSetting(
            "tls-certificate",
            \.certificate,
            SettingType.file.optional,
            absence: "plain HTTP",
            example: "/etc/packager/tls.pem"
        ) {
            """
            Certificate chain in PEM: origin, control API and keys-listen then use HTTPS.

            They speak HTTP/2 and HTTP/1.1 over TLS 1.2 and 1.3. The packager checks the file every ten seconds, and
            new connections get a new certificate. If it cannot be used, the former one stays in use.
            """
        },
        BoundSetting(
            "tls-private-key",
            \.privateKey,
            SettingType.file.optional,
            absence: "plain HTTP",
            example: "/etc/packager/tls.key"
        ) {
            "Private key of tls-certificate in PEM, without a passphrase."
        },
        BoundSetting(
            "control-certificate",
            \.controlCertificate,
            SettingType.file.optional,
            absence: "that of tls-certificate",
            example: "/etc/packager/control.pem"
        ) {
            "Certificate of the control API in PEM, if it differs from tls-certificate."
        },
        BoundSetting(
            "control-private-key",
            \.controlPrivateKey,
            SettingType.file.optional,
            absence: "that of tls-certificate",
            example: "/etc/packager/control.key"
        ) {
            "Private key of control-certificate in PEM, without a passphrase."
        },
        BoundSetting(
            "control-client-authority",
            \.controlClientAuthority,
            SettingType.file.optional,
            absence: "no client certificates",
            example: "/etc/packager/operators.pem"
        ) {
            """
            Certificates in PEM of the authorities that sign the client certificates of administrators.

            A client with such a certificate may do everything that the control API offers. A client without one needs a
            token of control-tokens, if that is set.
            """
        },
        BoundSetting(
            "control-tokens",
            \.controlTokens,
            SettingType.file.optional,
            absence: "every client is an operator, and one on this machine an administrator",
            example: "/etc/packager/control-tokens"
        ) {
            """
            File with the clients of the control API: one line each, with name, role, SHA-256 of the token and,
            optionally, the expiry in UTC. The roles are read-only, operator (may also select inputs, post cues,
            splices, date ranges and metadata, and make and delete finished recordings) and administrator (may also
            change channels and reload the configuration).

            A token comes as Authorization: Bearer; /healthz and /readyz need none. The packager checks the file every
            ten seconds; if it cannot be used, the former tokens stay in force.
            """
        },
        BoundSetting(
            "api-allow",
            \.apiAllow,
            .allowedPlaces,
            absence: "only feeds from the network",
            example:
                "\n  - /srv/media\n  - https://captions.example.com/live\n  - command:/usr/local/bin/advertisements"
        ) {
            """
            Places that a channel of the control API may name. A place is a file, a directory with its contents, or a
            URL with everything below it. It may also be command: with a program or a directory of programs, and with
            exactly these arguments.

            Without an entry, such a channel may have feeds from the network, but may name no other server and no file,
            directory or program. Values that the configuration file has for the same channel may stay. The same rules
            apply to the file of such channels (NAME.channels.yaml beside NAME.yaml).
            """
        },
    ]
}
