import ArgumentParser

/// `packager keys`: exports content keys for other systems.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Exports content keys.",
        subcommands: [KeyExport.self]
    )
}
