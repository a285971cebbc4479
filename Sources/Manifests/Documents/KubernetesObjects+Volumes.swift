extension KubernetesObjects {
    /// The mounts of a packager's container: its configuration, its state and the files of the Secret.
    func mounts(_ group: ChannelGroup) -> [ManifestValue] {
        [mount("configuration", "/etc/packager")]
            + (group.files.needsVolume ? [mount("state", PodFiles.volume, isReadOnly: false)] : [])
            + (group.files.mounted.isEmpty ? [] : [mount("secrets", PodFiles.mounted)])
            + (group.files.copied.isEmpty ? [] : [mount("copied-secrets", PodFiles.copied)])
    }

    /// The volumes of a pod without that of its state, which the StatefulSet claims.
    func volumes(_ group: ChannelGroup) -> [ManifestValue] {
        var volumes: [ManifestValue] = [["name": "configuration", "configMap": ["name": .text(group.name)]]]
        if !group.files.mounted.isEmpty { volumes.append(secretVolume("secrets", group.files.mounted)) }
        if !group.files.copied.isEmpty {
            volumes.append(secretVolume("secrets-to-copy", group.files.copied))
            volumes.append(["name": "copied-secrets", "emptyDir": ["medium": "Memory", "sizeLimit": "16Mi"]])
        }
        return volumes
    }

    func mount(_ name: String, _ path: String, isReadOnly: Bool = true) -> ManifestValue {
        .fields(["name": .text(name), "mountPath": .text(path), "readOnly": isReadOnly ? true : nil])
    }

    /// The keys of the Secret that a group needs, and no others.
    private func secretVolume(_ name: String, _ keys: Set<String>) -> ManifestValue {
        [
            "name": .text(name),
            "secret": [
                "secretName": .text(options.secret),
                // 0440: the file belongs to the pod's group.
                "defaultMode": 288,
                "items": .list(keys.sorted().map { ["key": .text($0), "path": .text($0)] }),
            ],
        ]
    }
}
