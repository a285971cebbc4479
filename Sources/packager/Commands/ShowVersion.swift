import ArgumentParser

/// `packager version`: prints what `packager --version` prints.
struct ShowVersion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version of the program and of the libraries that it has found."
    )

    func run() { print(Version.text) }
}
