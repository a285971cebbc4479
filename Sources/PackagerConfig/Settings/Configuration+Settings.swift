extension Configuration: Configurable {
    static let settings: [BoundSetting<Configuration>] =
        [
            BoundSetting("listen", \.listen, .address) {
                "Where viewers connect; port 0 takes a free one, and the URL is printed when it answers."
            },
            BoundSetting("control", \.control, .address) {
                """
                Where the operator connects: state, events, switching inputs.

                Everybody who reaches it may switch.
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
        ] + keySettings + [
            BoundSetting("log-level", \.logLevel, .choice) {
                """
                What is logged: trace, debug, info, notice, warning, error or critical, and everything worse.

                From debug on there is a line for each request; a proxy in front keeps better records of them.
                """
            }
        ] + eventSettings
}
