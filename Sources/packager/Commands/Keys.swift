import ArgumentParser

/// `packager keys`: content keys for others who need to know them.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hands out content keys to those who need them.",
        subcommands: [KeyExport.self]
    )
}
