import ArgumentParser
import PackagerConfig

/// Help with commands, since `run` may be left out.
extension Packager {
    /// The names of all commands.
    static var commandNames: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

    /// All commands with their purposes, as the argument parser lists them.
    static var commandList: String {
        let help = helpMessage()
        return help.firstRange(of: "SUBCOMMANDS:").map { String(help[$0.lowerBound...]) } ?? help
    }

    /// Returns the message for a first argument that looks like a command but is unknown; otherwise nil.
    static func unknownCommand(in arguments: some Collection<String>) -> String? {
        guard let word = arguments.first, !commandNames.contains(word), !word.isEmpty,
            word.allSatisfy({ $0.isLetter || $0 == "-" }), !word.hasPrefix("-")
        else { return nil }
        return "packager: there is no command '\(word)'\(Suggestion.text(for: word, among: commandNames)); commands: "
            + "\(commandNames.joined(separator: ", ")). See packager help COMMAND, or packager --help for the flags of run"
    }
}
