@testable import PackagerConfig

/// The annotated file of all settings, made from their declarations.
enum SettingDocument {
    static var text: String {
        let head = """
            # All settings of packager, with their defaults.
            #
            #     packager --config packager.yaml
            #
            # Each key is also a flag (--segment-duration 4) and an environment variable (PACKAGER_SEGMENT_DURATION=4). Flags win
            # over the environment, and the environment wins over this file. Durations are seconds, with up to three decimals.
            # Paths are relative to the directory where you start packager.
            """
        let ofOne = Setting.ofChannel.filter(\.isOfOneChannel).map(\.name).joined(separator: ", ")
        let words = """
            The channels. Keys of a channel may also be at the top level, where they apply to every channel without a value of
            its own; except those that belong to one channel (\(ofOne)). A file with one channel needs no list: all its keys may
            be at the top level.
            """
        let channels = (wrapped(words.replacing("\n", with: " "), prefix: "# ") + ["channels:"]).joined(separator: "\n")
        let ofProcess = Setting.ofProcess.map { entry($0) }
        let ofChannel = Setting.ofChannel.enumerated().map { entry($1, indent: "    ", isItem: $0 == 0) }
        return ([head] + ofProcess + [channels + "\n" + ofChannel.joined(separator: "\n\n")]).joined(separator: "\n\n")
            + "\n"
    }

    private static func entry(_ setting: Setting, indent: String = "", isItem: Bool = false) -> String {
        let absence = setting.absence.map { "Default: \($0)." } ?? ""
        let words = [setting.help, setting.notes, absence].filter { !$0.isEmpty }.joined(separator: " ")
        var lines = wrapped(words, prefix: "\(indent)# ")
        lines += (setting.items?.fields ?? []).flatMap { wrapped("\($0.name): \($0.help)", prefix: "\(indent)# - ") }
        let value = setting.defaultValue ?? setting.example ?? ""
        let separator = value.hasPrefix("\n") ? "" : " "
        let entry = "\(setting.name):\(separator)\(value)".split(separator: "\n")
        // What has no default is an example, but for what no channel can be without.
        let isExample = setting.defaultValue == nil && setting.name != "input"
        lines += entry.map { indent + (isExample ? "# " : "") + $0 }
        if isItem { lines[lines.count - 1] = "  - \(entry[0])" }
        return lines.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, prefix: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let line = lines.last, line.count + 1 + word.count <= 120 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append((lines.isEmpty ? prefix : prefix.replacing("-", with: " ")) + word)
            }
        }
    }
}
