import Yams

extension ChannelGrouping {
    /// Reads the groups of earlier manifests; fails if the text is not such manifests.
    ///
    /// - Parameter text: All manifests, as documents of YAML.
    package init?(ofManifests text: String) {
        var groups: [Int: [String]] = [:]
        guard let documents = try? compose_all(yaml: text) else { return nil }
        for document in documents where document["kind"]?.string == "ConfigMap" {
            guard let metadata = document["metadata"],
                let number = metadata["labels"]?[KubernetesObjects.groupLabel]?.string.flatMap({ Int($0) }), number > 0,
                let sections = metadata["annotations"]?[KubernetesObjects.channelsNote]?.string
            else { continue }
            groups[number] = sections.split(separator: " ").map(String.init)
        }
        if groups.isEmpty { return nil }
        self.init(noted: groups)
    }
}
