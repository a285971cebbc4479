import PackagerConfig

/// The channels of a pair of pods, and their needs.
struct ChannelGroup: Hashable {
    /// The number of the group, from 1 on.
    var number: Int
    /// The name of its StatefulSet; its pods have that and their ordinal.
    var name: String
    /// The names of its channels as they are written, without the numbers of programs.
    var names: [String]
    var channels: [ChannelConfiguration]
    /// The configuration of each pod, in the order of their ordinals.
    var members: [String]
    var files: PodFiles.Use
    /// The settings of feeds that come from the Secret, with the keys there.
    var feeds: [SecretFeeds]
    /// The ports at which its pods receive feeds, sorted.
    var ports: [FeedPort]

    /// The value of `input` or `backup`, with secrets in it.
    struct SecretFeeds: Hashable {
        var setting: String
        var key: String

        /// The environment variable that gives them to the packager.
        var variable: String { "PACKAGER_\(setting.uppercased())" }
    }

    /// The number of pods.
    static let memberCount = 2

    /// The name of the Service that its pods find each other with.
    var peersName: String { "\(name)-peers" }

    /// Returns the name of a pod.
    ///
    /// - Parameter ordinal: From 0 on.
    /// - Returns: The name.
    func pod(_ ordinal: Int) -> String { "\(name)-\(ordinal)" }

    /// Returns the host name of a pod, the same for as long as there is its group.
    func host(_ ordinal: Int) -> String { "\(pod(ordinal)).\(peersName)" }

    /// True if one of its channels answers requests when it has something to say, not at once.
    func waits(_ channel: ChannelConfiguration) -> Bool { channel.partTarget != nil || channel.holdsNext }
}
