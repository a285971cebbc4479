import ArgumentParser

/// `packager manifests`: writes descriptions of a fleet for an orchestrator.
struct WriteManifests: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifests",
        abstract: "Writes manifests with which a cluster runs the channels of a configuration file in pairs.",
        subcommands: [KubernetesManifest.self]
    )
}
