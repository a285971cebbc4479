extension Configuration: Configurable {
    static let settings: [BoundSetting<Configuration>] =
        [
            BoundSetting("listen", \.listen, .address) {
                "Where viewers connect; port 0 takes a free one, and the URL is printed when it answers."
            },
            BoundSetting("control", \.control, .address) {
                """
                Where the control API listens: state, events, input selection, channels.

                Without control-tokens and control-client-authority every client may select inputs, and only clients on this
                machine may change channels.
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

                An address may also be a CDN or a whole network. How many there may be in all is what the limit of open
                files allows (ulimit -n, LimitNOFILE).
                """
            },
        ] + keySettings + securitySettings + [
            BoundSetting("log-level", \.logLevel, .choice) {
                """
                What is logged: trace, debug, info, notice, warning, error or critical, and everything worse.

                From debug on there is a line for each request; access-log has them alone.
                """
            },
            BoundSetting("log-format", \.logFormat, .choice) {
                """
                The form of log lines: text, or json, one object a line.

                Each object has time, level and message. All else has a member of its own, such as channel, input, feed, what,
                viewers and do. Counts, status codes and whole seconds are numbers, all other values are strings.
                """
            },
            BoundSetting("access-log", \.accessLog, SettingType.file.optional, example: "/var/log/packager/access.log")
            {
                """
                A file with a line for each request to the origin and the keys, or - for standard output; without it there
                are none.

                In the Combined Log Format with the microseconds that the answer took at its end, or as JSON with log-format
                json. Queries are left out, for they may have tokens. Whoever moves the file away sends SIGHUP afterwards.
                """
            },
        ] + eventSettings
}
