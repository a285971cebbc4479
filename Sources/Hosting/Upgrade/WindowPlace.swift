import PackagerConfig

/// The directories of a channel's window, for the channel that replaces it.
struct WindowPlace: Hashable, Codable, Sendable {
    var state: String?
    var record: String?

    init(_ settings: ChannelConfiguration) {
        (state, record) = (settings.state, settings.recording.directory)
    }
}
