import ArgumentParser

/// `packager keys`: what others need to know of content keys.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hands content keys to those who have to know them.",
        subcommands: [KeyExport.self]
    )
}
