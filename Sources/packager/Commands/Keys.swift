import ArgumentParser

/// `packager keys`: content keys for others who need to know them.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Exports content keys.",
        subcommands: [KeyExport.self]
    )
}
