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
            Certificate in PEM, with those that it is signed by: origin, control API and keys-listen are then HTTPS.

            They speak HTTP/2 and HTTP/1.1 over TLS 1.2 and 1.3. The file is looked at every five seconds, and a new
            certificate is that of new connections; one that cannot be used leaves the one from before.
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
            "Certificate of the control API in PEM, if not tls-certificate."
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
            absence: "none is asked for",
            example: "/etc/packager/operators.pem"
        ) {
            """
            Certificates in PEM of the authorities that sign the client certificates of administrators.

            A client with such a certificate may do everything that the control API offers. One without needs a token of
            control-tokens, if there are any.
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
            File with the clients of the control API: a line each with name, role, SHA-256 of the token and perhaps the
            time when it expires, in UTC. The roles are read-only, operator (may also select inputs and post cues,
            splices, date ranges and metadata) and administrator (may also change channels and reload the
            configuration).

            A token comes as Authorization: Bearer; /healthz and /readyz need none. The file is looked at every five
            seconds; a file that cannot be used leaves the tokens from before in force.
            """
        },
        BoundSetting(
            "api-allow",
            \.apiAllow,
            .allowedPlaces,
            absence: "feeds by network and nothing else",
            example:
                "\n  - /srv/media\n  - https://captions.example.com/live\n  - command:/usr/local/bin/advertisements"
        ) {
            """
            Places that a channel of the control API may name. A place is a file, a directory with all that is in it, or
            a URL with all below it. It may also be command: and a program, or a directory of programs, with just the
            arguments given.

            Without an entry such a channel has feeds by network, and names no file, directory, program or server that
            this process would read, write, run or ask. Values that the configuration file has for the same channel may
            stay. The file of such channels (NAME.channels.yaml beside NAME.yaml) is held to the same when it is read.
            """
        },
    ]
}
