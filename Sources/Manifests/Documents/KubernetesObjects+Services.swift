extension KubernetesObjects {
    /// The Services of a group: for its pods to find each other, for viewers, and of each pod for encoders.
    func services(_ group: ChannelGroup) -> [ManifestValue] {
        [peersService(group), viewersService(group)]
            + (group.ports.isEmpty ? [] : (0..<ChannelGroup.memberCount).map { feedService($0, group) })
    }

    /// A Service that no pod stands behind, for paths that are not for viewers.
    var serviceOfNobody: ManifestValue {
        [
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": .fields([
                "name": .text(nameOfNobody), "namespace": options.namespace.map { .text($0) },
                "labels": ["app.kubernetes.io/name": "packager", "app.kubernetes.io/instance": .text(options.name)],
            ]),
            "spec": ["ports": [port("media", 80, "media")]],
        ]
    }

    var nameOfNobody: String { "\(options.name)-nobody" }

    /// The port of the Service for viewers.
    var mediaPort: Int { listeners.media.isSecure ? 443 : 80 }

    /// A name for each pod, valid before it is ready: it then requests the window from the other.
    private func peersService(_ group: ChannelGroup) -> ManifestValue {
        service(
            group.peersName,
            "peers",
            group,
            spec: [
                "clusterIP": "None",
                "publishNotReadyAddresses": true,
                "selector": selector(group),
                "ports": [
                    port("media", listeners.media.port, "media"), port("control", listeners.control.port, "control"),
                ],
            ]
        )
    }

    private func viewersService(_ group: ChannelGroup) -> ManifestValue {
        let keys = listeners.keys.map { port("keys", $0.port, "keys") }
        return service(
            group.name,
            "viewers",
            group,
            spec: [
                "type": .text(options.serviceType.rawValue),
                "selector": selector(group),
                "ports": .list([port("media", mediaPort, "media")] + [keys].compactMap(\.self)),
            ]
        )
    }

    /// An encoder sends to each of the two pods, also before they are ready, and is seen by its own address.
    private func feedService(_ ordinal: Int, _ group: ChannelGroup) -> ManifestValue {
        service(
            "\(group.pod(ordinal))-feeds",
            "feeds",
            group,
            spec: .fields([
                "type": .text(options.feedServiceType.rawValue),
                "externalTrafficPolicy": options.feedServiceType == .clusterIP ? nil : "Local",
                "publishNotReadyAddresses": true,
                "selector": ["statefulset.kubernetes.io/pod-name": .text(group.pod(ordinal))],
                "ports": .list(group.ports.map { port($0.name, $0.number, $0.name, $0.transport.rawValue) }),
            ])
        )
    }

    private func service(_ name: String, _ role: String, _ group: ChannelGroup, spec: ManifestValue) -> ManifestValue {
        [
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": .fields([
                "name": .text(name),
                "namespace": options.namespace.map { .text($0) },
                "labels": [
                    "app.kubernetes.io/name": "packager",
                    "app.kubernetes.io/instance": .text(options.name),
                    Self.roleLabel: .text(role),
                    Self.groupLabel: .text("\(group.number)"),
                ],
            ]),
            "spec": spec,
        ]
    }

    private func port(_ name: String, _ number: Int, _ target: String, _ transport: String = "TCP") -> ManifestValue {
        [
            "name": .text(name), "port": .number(number), "targetPort": .text(target), "protocol": .text(transport),
        ]
    }
}
