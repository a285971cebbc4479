import MediaCore
import PackagerConfig

/// Makes the objects of a group.
struct KubernetesObjects {
    let options: KubernetesOptions
    let listeners: PodListeners

    /// The key of the Secret that has the token of Prometheus.
    static let tokenKey = "metrics-token"
    /// The note of a ConfigMap that names the channels of its group.
    static let channelsNote = "packager/channels"
    /// The label of the group's number.
    static let groupLabel = "packager/group"

    /// The labels that find all objects of a group.
    func selector(_ group: ChannelGroup) -> ManifestValue {
        [
            "app.kubernetes.io/name": "packager",
            "app.kubernetes.io/instance": .text(options.name),
            Self.groupLabel: .text("\(group.number)"),
        ]
    }

    /// The name, the namespace and the labels of an object of a group.
    func metadata(_ name: String, _ group: ChannelGroup, annotations: ManifestValue? = nil) -> ManifestValue {
        .fields([
            "name": .text(name),
            "namespace": options.namespace.map { .text($0) },
            "labels": selector(group),
            "annotations": annotations,
        ])
    }

    /// The configuration of each pod, in a file that has the pod's name.
    func configMap(_ group: ChannelGroup) -> ManifestValue {
        let files = group.members.enumerated().map {
            ManifestValue.Field(key: "\(group.pod($0)).yaml", value: .block($1))
        }
        let channels = group.names.joined(separator: " ")
        return [
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": metadata(group.name, group, annotations: [Self.channelsNote: .text(channels)]),
            "data": .mapping(files),
        ]
    }

    /// Returns a budget that lets one of the two pods be evicted, never both.
    func disruptionBudget(_ group: ChannelGroup) -> ManifestValue {
        [
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": metadata(group.name, group),
            "spec": [
                "maxUnavailable": 1,
                // A pod that is not ready may be evicted, so that it keeps no machine from being emptied.
                "unhealthyPodEvictionPolicy": "AlwaysAllow",
                "selector": ["matchLabels": selector(group)],
            ],
        ]
    }

    /// Prometheus scrapes each pod; its job is called packager, as in the alert rules.
    func serviceMonitor(_ group: ChannelGroup, _ configuration: Configuration) -> ManifestValue {
        let token: ManifestValue = [
            "type": "Bearer", "credentials": ["name": .text(options.secret), "key": .text(Self.tokenKey)],
        ]
        let endpoint = ManifestValue.fields([
            "port": "control",
            "path": "/metrics",
            "interval": "15s",
            "scheme": listeners.control.isSecure ? "https" : nil,
            "tlsConfig": listeners.control.isSecure ? ["serverName": .text(group.host(0))] : nil,
            "authorization": configuration.controlTokens == nil ? nil : token,
        ])
        return [
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "ServiceMonitor",
            "metadata": metadata(group.name, group),
            "spec": [
                "jobLabel": "app.kubernetes.io/name",
                "selector": ["matchLabels": selector(group), "matchExpressions": [Self.peersOnly]],
                "endpoints": [endpoint],
            ],
        ]
    }

    /// The label of the Service that has both pods, and their control APIs.
    static let roleLabel = "app.kubernetes.io/component"

    private static let peersOnly: ManifestValue = [
        "key": .text(roleLabel), "operator": "In", "values": ["peers"],
    ]
}
