import ArgumentParser

/// `packager version`: prints the same as `packager --version`.
struct ShowVersion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the versions of the program and of its libraries."
    )

    func run() { print(Version.text) }
}
