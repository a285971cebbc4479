import ArgumentParser

/// `packager manifests`: descriptions of a fleet, for what runs it.
struct WriteManifests: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifests",
        abstract: "Writes manifests with which a cluster runs the channels of a configuration file in pairs.",
        subcommands: [KubernetesManifest.self]
    )
}
