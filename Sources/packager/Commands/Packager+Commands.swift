import ArgumentParser
import PackagerConfig

/// What is said of commands, since whoever gives none means `run`.
extension Packager {
    /// The names of all commands.
    static var commandNames: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

    /// All commands with what they are for, as the argument parser lists them.
    static var commandList: String {
        let help = helpMessage()
        return help.firstRange(of: "SUBCOMMANDS:").map { String(help[$0.lowerBound...]) } ?? help
    }

    /// What to say to somebody whose first argument looks like a command and is none; nil where it does not.
    static func unknownCommand(in arguments: some Collection<String>) -> String? {
        guard let word = arguments.first, !commandNames.contains(word), !word.isEmpty,
            word.allSatisfy({ $0.isLetter || $0 == "-" }), !word.hasPrefix("-")
        else { return nil }
        return "packager: there is no command '\(word)'\(Suggestion.text(for: word, among: commandNames)); there are "
            + "\(commandNames.joined(separator: ", ")): packager help COMMAND explains one, packager --help the flags of run"
    }
}
