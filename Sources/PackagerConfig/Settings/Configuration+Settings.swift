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
                absence: "half of all there may be",
                example: "10000"
            ) {
                """
                Connections to the origin from one address; a proxy in front is one.

                An address may also be a CDN or a whole network. The limit of open files (ulimit -n, LimitNOFILE) sets
                how many connections there may be in all.
                """
            },
        ] + keySettings + securitySettings + [
            BoundSetting("log-level", \.logLevel, .choice) {
                """
                The lowest level that is logged: trace, debug, info, notice, warning, error or critical. Everything
                worse is logged too.

                From debug on there is a line for each request; access-log has them alone.
                """
            },
            BoundSetting("log-format", \.logFormat, .choice) {
                """
                Format of the log: text, or json, one object a line.

                Each object has time, level and message. Everything else is a member of its own, such as channel, input,
                feed, what, viewers and do. Counts, status codes and whole seconds are numbers, all other values are
                strings.
                """
            },
            BoundSetting("access-log", \.accessLog, SettingType.file.optional, example: "/var/log/packager/access.log")
            {
                """
                A file with a line for each request to the origin and the keys, or - for standard output; without it
                there are none.

                In the Combined Log Format with the microseconds that the answer took at its end, or as JSON with
                log-format json. Queries are left out, for they may have tokens. Send SIGHUP after the file has been
                moved away.
                """
            },
        ] + eventSettings
}
