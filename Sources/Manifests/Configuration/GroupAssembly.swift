import MediaCore
import PackagerConfig
import Yams

/// Makes the groups of a fleet, and the configuration of each pod, of one configuration file.
struct GroupAssembly {
    private let file: WrittenFile
    private let options: KubernetesOptions
    private let listeners: PodListeners
    private let configuration: Configuration
    private(set) var grouping: ChannelGrouping
    private(set) var groups: [ChannelGroup] = []
    /// The paths that the files of the Secret have on this machine, by their keys.
    private(set) var secrets: [String: String] = [:]

    /// - Parameters:
    ///   - written: The file as text.
    ///   - reading: The valid configuration in the file.
    ///   - options: The facts about the cluster.
    ///   - before: The groups so far.
    /// - Throws: `ConfigurationProblems` with all settings that cannot work in pods.
    init(
        _ written: ConfigurationFile,
        _ reading: ConfigurationReading,
        _ options: KubernetesOptions,
        keeping before: ChannelGrouping
    ) throws(ConfigurationProblems) {
        file = WrittenFile(written)
        self.options = options
        configuration = reading.configuration
        listeners = PodListeners(configuration)
        grouping = ChannelGrouping(file.sections.map(\.name), size: options.groupSize, keeping: before)
        var files = PodFiles(file: written.name)
        var problems = reading.problemsInPods(options)
        let (top, use) = files.move(file.top, at: "")
        let sections = Dictionary(
            file.sections.map { ($0.name, Section(moving: $0, &files)) },
            uniquingKeysWith: { first, _ in first }
        )
        for (number, names) in grouping.groups.sorted(by: { $0.key < $1.key }) {
            let parts = names.compactMap { sections[$0] }
            problems += secretProblems(reading, parts)
            groups.append(group(number, top, use, parts))
        }
        secrets = files.secrets
        _ = try reading.checked(or: problems + files.problems + sizeProblems)
    }

    /// A channel in a pod.
    private struct Section {
        var written: WrittenFile.Section
        var entries: [WrittenFile.Entry]
        var use: PodFiles.Use

        init(moving written: WrittenFile.Section, _ files: inout PodFiles) {
            self.written = written
            (entries, use) = files.move(written.entries, at: written.path)
        }
    }

    private func channels(_ part: Section) -> [ChannelConfiguration] {
        configuration.channels.filter { part.written.channels.contains($0.name) }
    }

    private func group(
        _ number: Int,
        _ top: [WrittenFile.Entry],
        _ use: PodFiles.Use,
        _ parts: [Section]
    ) -> ChannelGroup {
        let channels = parts.flatMap(channels)
        var group = ChannelGroup(
            number: number,
            name: "\(options.name)-\(number)",
            names: parts.map(\.written.name),
            channels: channels,
            members: [],
            files: use,
            feeds: parts.count == 1 ? parts.flatMap(secretFeeds) : [],
            ports: Set(channels.flatMap { $0.inputs + $0.backups }.compactMap(\.podPort)).sorted()
        )
        for part in parts { group.files.formUnion(part.use) }
        let hidden = Set(group.feeds.map(\.setting) + ["peer"])
        let sections = parts.map { part in Node(part.entries.filter { !hidden.contains($0.key) }) }
        group.members = (0..<ChannelGroup.memberCount).map { ordinal in
            let other = group.host(ChannelGroup.memberCount - 1 - ordinal)
            let own = ["listen", "control", "peer"]
            let entries: [WrittenFile.Entry] =
                [("listen", Node(listeners.media.address)), ("control", Node(listeners.control.address))]
                + top.filter { !own.contains($0.key) }
                + [
                    ("peer", Node("\(listeners.media.scheme)://\(other):\(listeners.media.port)")),
                    (Setting.channelsKey, Node(sections, .implicit, .block)),
                ]
            return ManifestDocument.text(of: Node(entries))
        }
        return group
    }

    /// The settings of feeds that have a secret in them.
    private func secretFeeds(_ part: Section) -> [ChannelGroup.SecretFeeds] {
        guard let channel = channels(part).first else { return [] }
        return [("input", channel.inputs), ("backup", channel.backups)].compactMap { name, feeds in
            guard feeds.contains(where: { !SecretMask.secrets(of: $0.location).isEmpty }) else { return nil }
            return ChannelGroup.SecretFeeds(setting: name, key: "\(part.written.name).\(name)")
        }
    }

    /// Feeds with secrets beside other channels: the environment has the feeds of one channel alone.
    private func secretProblems(_ reading: ConfigurationReading, _ parts: [Section]) -> [ConfigurationProblem] {
        guard parts.count > 1 else { return [] }
        return parts.flatMap { part in
            secretFeeds(part).map { feeds in
                let message =
                    "everybody who may read a ConfigMap would see the secrets in it; with --group-size 1 it comes "
                    + "from the Secret"
                return reading.problem(feeds.setting, ofChannel: channels(part).first?.name, message)
            }
        }
    }

    /// The most bytes of the configuration in a ConfigMap.
    private static let longest = (1 << 20) - 4096

    private var sizeProblems: [ConfigurationProblem] {
        groups.filter { $0.members.reduce(0) { $0 + $1.utf8.count } > Self.longest }.map { group in
            let message =
                "the configuration of \(group.channels.count) channels is too long for a ConfigMap; use a smaller "
                + "--group-size"
            return ConfigurationProblem(origin: .process, message: message)
        }
    }
}
