import ArgumentParser

/// The program: its commands.
struct Packager: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packager",
        abstract: "Packages a live feed as HLS and serves it.",
        version: Version.text,
        subcommands: [
            Run.self, Check.self, CheckConfig.self, Compare.self, Drill.self, Keys.self, WriteManifests.self,
            Record.self, Rekey.self, Probe.self, ShowVersion.self,
        ],
        defaultSubcommand: Run.self
    )
}
