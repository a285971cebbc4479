extension Configuration: Configurable {
    static let settings: [BoundSetting<Configuration>] =
        [
            BoundSetting("listen", \.listen, .address) {
                "Address where viewers connect; port 0 takes a free one, and the URL is printed when it answers."
            },
            BoundSetting("control", \.control, .address) {
                """
                Address of the control API: state, events, input selection, channels.

                Without control-tokens and control-client-authority every client may select inputs, and only clients on
                this machine may change channels.
                """
            },
            BoundSetting(
                "connections-per-address",
                \.connectionsPerAddress,
                SettingType.connections.optional,
                absence: "half of all",
                example: "10000"
            ) {
                """
                Most connections to the origin from one address; a proxy counts as one address.

                An address may also be a CDN or a whole network. The limit of open files (ulimit -n, LimitNOFILE) bounds
                all connections together.
                """
            },
        ] + keySettings + securitySettings + [
            BoundSetting("log-level", \.logLevel, .choice) {
                """
                The lowest level that is logged: trace, debug, info, notice, warning, error or critical. More severe
                lines are logged too.

                With debug, there is a line for each request; access-log has only these.
                """
            },
            BoundSetting("log-format", \.logFormat, .choice) {
                """
                Format of the log: text, or json with one object on each line.

                Each object has time, level and message. Everything else is a member of its own, such as channel, input,
                feed, what, viewers and do. Counts, status codes and whole seconds are numbers, all other values are
                strings.
                """
            },
            BoundSetting("access-log", \.accessLog, SettingType.file.optional, example: "/var/log/packager/access.log")
            {
                """
                File with a line for each request to the origin and the keys, or - for standard output.

                Lines have the Combined Log Format, with the duration of the answer in microseconds at the end, or JSON
                with log-format json. They have no queries, which may contain tokens. Send SIGHUP after you have moved
                the file.
                """
            },
        ] + eventSettings
}
