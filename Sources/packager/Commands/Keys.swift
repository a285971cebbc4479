import ArgumentParser

/// `packager keys`: content keys for others who need to know them.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hands content keys to those who have to know them.",
        subcommands: [KeyExport.self]
    )
}
