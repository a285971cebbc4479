extension KubernetesObjects {
    /// The user of the image.
    private static let user = 10_001

    /// Two pods on two machines, with names that stay.
    func statefulSet(_ group: ChannelGroup) -> ManifestValue {
        let claim: ManifestValue = [
            "metadata": ["name": "state"],
            "spec": [
                "accessModes": ["ReadWriteOnce"],
                "resources": ["requests": ["storage": .text(options.storage)]],
            ],
        ]
        return [
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": metadata(group.name, group),
            "spec": .fields([
                "replicas": .number(ChannelGroup.memberCount),
                "serviceName": .text(group.peersName),
                // Both start at once. A change is made to one after the other.
                "podManagementPolicy": "Parallel",
                "updateStrategy": ["type": "RollingUpdate"],
                // A new pod takes the window from the other before that one ends.
                "minReadySeconds": 10,
                "selector": ["matchLabels": selector(group)],
                "template": [
                    "metadata": [
                        "labels": selector(group),
                        // Another configuration makes other pods.
                        "annotations": ["packager/configuration": .text(KubernetesName.hash(group.members.joined()))],
                    ],
                    "spec": podSpec(group),
                ],
                "volumeClaimTemplates": group.files.needsVolume ? [claim] : nil,
            ]),
        ]
    }

    private func podSpec(_ group: ChannelGroup) -> ManifestValue {
        .fields([
            "automountServiceAccountToken": false,
            // Variables that begin with PACKAGER_ are settings.
            "enableServiceLinks": false,
            // Longer than the packager takes to end, and the time before.
            "terminationGracePeriodSeconds": 40,
            "securityContext": [
                "runAsNonRoot": true,
                "runAsUser": .number(Self.user),
                "runAsGroup": .number(Self.user),
                "fsGroup": .number(Self.user),
                "fsGroupChangePolicy": "OnRootMismatch",
                "seccompProfile": ["type": "RuntimeDefault"],
            ],
            "affinity": [
                "podAntiAffinity": [
                    "requiredDuringSchedulingIgnoredDuringExecution": [
                        [
                            "topologyKey": "kubernetes.io/hostname",
                            "labelSelector": ["matchLabels": selector(group)],
                        ]
                    ]
                ]
            ],
            "topologySpreadConstraints": [
                [
                    "maxSkew": 1,
                    "topologyKey": "topology.kubernetes.io/zone",
                    "whenUnsatisfiable": "ScheduleAnyway",
                    "labelSelector": ["matchLabels": selector(group)],
                ]
            ],
            "initContainers": group.files.copied.isEmpty ? nil : [copyingContainer(group)],
            "containers": [packagerContainer(group)],
            "volumes": .list(volumes(group)),
        ])
    }

    /// Copies secrets to memory, where only the packager's user may read them.
    private func copyingContainer(_ group: ChannelGroup) -> ManifestValue {
        let source = "/etc/packager-mounted"
        let files = group.files.copied.sorted().map { "\(source)/\($0)" }
        return [
            "name": "secrets",
            "image": .text(options.image),
            "command": .texts(["install", "--mode", "0400", "--target-directory", PodFiles.copied, "--"] + files),
            "securityContext": Self.noRights,
            "volumeMounts": [
                mount("copied-secrets", PodFiles.copied, isReadOnly: false), mount("secrets-to-copy", source),
            ],
        ]
    }

    private static let noRights: ManifestValue = [
        "allowPrivilegeEscalation": false,
        "readOnlyRootFilesystem": true,
        "capabilities": ["drop": ["ALL"]],
    ]

    private func packagerContainer(_ group: ChannelGroup) -> ManifestValue {
        let changes = group.files.needsVolume ? ["--channels", "\(PodFiles.volume)/channels.yaml"] : []
        let resources = ManifestValue.fields([
            "requests": requests, "limits": options.memory.map { ["memory": .text($0)] },
        ])
        return .fields([
            "name": "packager",
            "image": .text(options.image),
            "args": .texts(["--config", "/etc/packager/$(POD_NAME).yaml"] + changes),
            "env": .list(environment(group)),
            "ports": .list(ports(group)),
            // A key server or a peer may keep it waiting before it listens.
            "startupProbe": probe("/healthz", every: 5, failures: 60),
            "livenessProbe": probe("/healthz", every: 10, failures: 3),
            // A pod that fails closed leaves viewers to the other.
            "readinessProbe": probe("/readyz", every: 2, failures: 2),
            // Viewers are sent elsewhere before it ends.
            "lifecycle": ["preStop": ["exec": ["command": ["sleep", "5"]]]],
            "resources": options.cpu == nil && options.memory == nil ? nil : resources,
            "securityContext": Self.noRights,
            "volumeMounts": .list(mounts(group)),
        ])
    }

    private var requests: ManifestValue {
        .fields(["cpu": options.cpu.map { .text($0) }, "memory": options.memory.map { .text($0) }])
    }

    private func environment(_ group: ChannelGroup) -> [ManifestValue] {
        [["name": "POD_NAME", "valueFrom": ["fieldRef": ["fieldPath": "metadata.name"]]]]
            + group.feeds.map { feeds in
                [
                    "name": .text(feeds.variable),
                    "valueFrom": ["secretKeyRef": ["name": .text(options.secret), "key": .text(feeds.key)]],
                ]
            }
    }

    private func ports(_ group: ChannelGroup) -> [ManifestValue] {
        func port(_ name: String, _ number: Int, _ transport: String = "TCP") -> ManifestValue {
            ["name": .text(name), "containerPort": .number(number), "protocol": .text(transport)]
        }
        return [port("media", listeners.media.port), port("control", listeners.control.port)]
            + [listeners.keys.map { port("keys", $0.port) }].compactMap(\.self)
            + group.ports.map { port($0.name, $0.number, $0.transport.rawValue) }
    }

    private func probe(_ path: String, every seconds: Int, failures: Int) -> ManifestValue {
        .fields([
            "httpGet": .fields([
                "path": .text(path), "port": "control", "scheme": listeners.control.isSecure ? "HTTPS" : nil,
            ]),
            "periodSeconds": .number(seconds),
            "timeoutSeconds": 2,
            "failureThreshold": .number(failures),
        ])
    }
}
