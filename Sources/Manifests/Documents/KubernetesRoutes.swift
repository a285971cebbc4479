import PackagerConfig

/// Makes the objects that send viewers to the group of their channel.
struct KubernetesRoutes {
    let objects: KubernetesObjects

    /// The names below a channel that only the members of a pair exchange.
    private static let hidden = ["window.json", "health.json", "schedule.json", "recorded.json"]
    /// The names below a channel where keys and licences are, where these have a listener of their own.
    private static let keys = ["keys", "clearkey", "fairplay"]

    private var options: KubernetesOptions { objects.options }

    /// The routes of a group's channels; none if there is nothing that routes.
    func documents(_ group: ChannelGroup) -> [ManifestValue] {
        group.channels.compactMap { channel in
            switch options.routing {
            case nil: nil
            case .gateway(let name, let namespace)?: route(channel, group, gateway: name, namespace)
            case .ingress(let name)?: ingress(channel, group, ingressClass: name)
            }
        }
    }

    /// Paths of a channel, and the Service that each is sent to.
    private func targets(
        _ channel: ChannelConfiguration,
        _ group: ChannelGroup
    ) -> [(paths: [String], isExact: Bool, service: String, port: Int)] {
        let root = "/\(channel.name)"
        let keys = objects.listeners.keys.map { listener in
            (Self.keys.map { "\(root)/\($0)" }, false, group.name, listener.port)
        }
        return [(Self.hidden.map { "\(root)/\($0)" }, true, objects.nameOfNobody, 80)]
            + [keys].compactMap(\.self) + [([root], false, group.name, objects.mediaPort)]
    }

    private func route(
        _ channel: ChannelConfiguration,
        _ group: ChannelGroup,
        gateway: String,
        _ namespace: String?
    ) -> ManifestValue {
        let rules = targets(channel, group).map { target in
            ManifestValue.fields([
                "matches": .list(
                    target.paths.map {
                        ["path": ["type": target.isExact ? "Exact" : "PathPrefix", "value": .text($0)]]
                    }
                ),
                // A packager keeps a request that waits for three target durations at most.
                "timeouts": group.waits(channel) && target.service == group.name ? ["request": "60s"] : nil,
                "backendRefs": [["name": .text(target.service), "port": .number(target.port)]],
            ])
        }
        return [
            "apiVersion": "gateway.networking.k8s.io/v1",
            "kind": "HTTPRoute",
            "metadata": objects.metadata(name(of: channel), group),
            "spec": .fields([
                "parentRefs": [.fields(["name": .text(gateway), "namespace": namespace.map { .text($0) }])],
                "hostnames": options.host.map { [.text($0)] },
                "rules": .list(rules),
            ]),
        ]
    }

    private func ingress(
        _ channel: ChannelConfiguration,
        _ group: ChannelGroup,
        ingressClass: String
    ) -> ManifestValue {
        let paths = targets(channel, group).flatMap { target in
            target.paths.map { path -> ManifestValue in
                [
                    "path": .text(path),
                    "pathType": target.isExact ? "Exact" : "Prefix",
                    "backend": ["service": ["name": .text(target.service), "port": ["number": .number(target.port)]]],
                ]
            }
        }
        return [
            "apiVersion": "networking.k8s.io/v1",
            "kind": "Ingress",
            "metadata": objects.metadata(name(of: channel), group),
            "spec": [
                "ingressClassName": .text(ingressClass),
                "rules": [.fields(["host": options.host.map { .text($0) }, "http": ["paths": .list(paths)]])],
            ],
        ]
    }

    private func name(of channel: ChannelConfiguration) -> String {
        "\(options.name)-\(KubernetesName.label(channel.name))"
    }
}
