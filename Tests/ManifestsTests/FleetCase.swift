import Foundation
import PackagerConfig
import TestSupport
import Testing

@testable import Manifests

/// A configuration with the manifests that are made of it, as files in Goldens.
struct FleetCase: Sendable, CustomTestStringConvertible {
    var name: String
    var options: KubernetesOptions
    /// Texts that no manifest may have.
    var secrets: [String] = []

    var testDescription: String { name }

    private static let goldens = Repository.root.appending(path: "Tests/ManifestsTests/Goldens")

    var golden: URL { Self.goldens.appending(path: "\(name).yaml") }

    func configuration() throws -> ConfigurationFile {
        let path = Self.goldens.appending(path: "\(name).packager.yaml")
        return ConfigurationFile(name: "\(name).yaml", text: try String(contentsOf: path, encoding: .utf8))
    }

    func text() throws -> String { try Self.manifests(configuration(), options).text }

    static func manifests(
        _ file: ConfigurationFile,
        _ options: KubernetesOptions,
        keeping before: ChannelGrouping = ChannelGrouping()
    ) throws -> KubernetesManifests {
        let reading = try Configuration.read(flags: [:], environment: [:], file: file)
        return try KubernetesManifests(file, reading, options, keeping: before)
    }

    static let all = [
        FleetCase(
            name: "fleet",
            options: KubernetesOptions(
                namespace: "tv",
                image: "registry.example.com/packager:0.3.0",
                groupSize: 2,
                routing: .gateway("viewers", namespace: "edge"),
                host: "live.example.com"
            )
        ),
        FleetCase(
            name: "event",
            options: KubernetesOptions(
                name: "event",
                image: "registry.example.com/packager:0.3.0",
                groupSize: 1,
                routing: .ingress("nginx"),
                serviceType: .nodePort,
                feedServiceType: .nodePort,
                cpu: "500m",
                memory: "2Gi",
                isMonitored: false
            ),
            secrets: ["a-key-of-its-own"]
        ),
    ]
}
