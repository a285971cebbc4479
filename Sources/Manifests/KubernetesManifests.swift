package import PackagerConfig

/// The objects that have a cluster run the channels of a configuration file, each in a pair of pods on two machines.
///
/// Channels are in groups. A group is a StatefulSet of two, whose pods know each other by their stable names. Nothing
/// secret is in the objects: keys, certificates and feeds with keys in their addresses come from a Secret that is made
/// by hand.
package struct KubernetesManifests {
    private let options: KubernetesOptions
    private let groups: [ChannelGroup]
    private let listeners: PodListeners
    private let configuration: Configuration
    private let secrets: [String: String]

    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - file: The file, as it is written.
    ///   - reading: The configuration in the file.
    ///   - options: The facts about the cluster, which have no ``KubernetesOptions/problems``.
    ///   - before: The groups so far, in which channels stay.
    /// - Throws: `ConfigurationProblems` with all that is wrong, or cannot work in pods.
    package init(
        _ file: ConfigurationFile,
        _ reading: ConfigurationReading,
        _ options: KubernetesOptions,
        keeping before: ChannelGrouping = ChannelGrouping()
    ) throws(ConfigurationProblems) {
        self.options = options
        configuration = try reading.checked()
        let assembly = try GroupAssembly(file, reading, options, keeping: before)
        (groups, secrets) = (assembly.groups, assembly.secrets)
        listeners = PodListeners(configuration)
    }

    /// All objects in YAML, one document each, below a comment with the prerequisites.
    package var text: String {
        preface + documents.map { "---\n" + ManifestDocument.text(of: $0.node) }.joined()
    }

    private var documents: [ManifestValue] {
        let objects = KubernetesObjects(options: options, listeners: listeners)
        let routes = KubernetesRoutes(objects: objects)
        return groups.flatMap { group in
            [objects.configMap(group), objects.statefulSet(group), objects.disruptionBudget(group)]
                + objects.services(group) + (options.isMonitored ? [objects.serviceMonitor(group, configuration)] : [])
        } + (options.routing == nil ? [] : [objects.serviceOfNobody]) + groups.flatMap(routes.documents)
    }

    private var preface: String {
        let count = groups.count == 1 ? "1 group" : "\(groups.count) groups"
        let first = "Written by packager manifests kubernetes: \(count) of channels, each in two pods."
        return ([first] + accessWords + secretWords).map { "# \($0)\n" }.joined()
    }

    private var accessWords: [String] {
        guard configuration.controlTokens == nil, configuration.controlClientAuthority == nil else { return [] }
        return [
            "Without control-tokens everybody who reaches a pod may select inputs: have a NetworkPolicy leave port "
                + "\(listeners.control.port) to Prometheus."
        ]
    }

    /// The commands that make the Secret, from files on the machine of whoever gives them.
    private var secretWords: [String] {
        let files = secrets.sorted { $0.key < $1.key }.map { "--from-file=\($0.key)=\(Self.quoted($0.value))" }
        let feeds = groups.flatMap { group in
            group.feeds.map { "--from-file=\($0.key)=FILE-WITH-THE-\($0.setting.uppercased())S-ONE-ON-EACH-LINE" }
        }
        let token = scrapesWithToken ? ["--from-file=\(KubernetesObjects.tokenKey)=FILE-WITH-A-READ-ONLY-TOKEN"] : []
        let sources = files + feeds + token
        guard !sources.isEmpty else { return [] }
        let place = options.namespace.map { " --namespace \($0)" } ?? ""
        let command = ["kubectl\(place) create secret generic \(options.secret)"] + sources.map { "  \($0)" }
        return ["Nothing secret is in here. Make the Secret that the pods use before they start:"]
            + command.enumerated().map { "  \($1)\($0 < command.count - 1 ? " \\" : "")" }
    }

    /// Returns a path as a shell reads it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "/._-".utf8.contains(byte)
        }
        return isPlain ? path : "'\(path.replacing("'", with: #"'\''"#))'"
    }

    private var scrapesWithToken: Bool { options.isMonitored && configuration.controlTokens != nil }
}
