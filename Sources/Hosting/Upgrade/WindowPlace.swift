import PackagerConfig

/// The directories in which a channel keeps its window, for the one that takes its place.
struct WindowPlace: Hashable, Codable, Sendable {
    var state: String?
    var record: String?

    init(_ settings: ChannelConfiguration) {
        (state, record) = (settings.state, settings.record)
    }
}
