extension ChannelConfiguration {
    /// Settings about what operators see of it.
    static let monitoringSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("thumbnails", \.thumbnails, .choice, api: .open) {
            """
            Small pictures of what is on air, and of each input, at the control API: on-demand or off.

            A picture is made of a key frame when somebody asks, once for each key frame, by a thread that all others go
            before.
            """
        }
    ]
}
