extension ChannelConfiguration {
    /// The settings for monitoring.
    static let monitoringSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("thumbnails", \.thumbnails, .choice, api: .open) {
            """
            Small pictures of the programme and of each input at the control API: on-demand or off.

            The packager makes a picture on request, once for each key frame, on a thread of low priority.
            """
        }
    ]
}
