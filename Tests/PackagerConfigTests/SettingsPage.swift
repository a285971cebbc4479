import TestSupport

@testable import PackagerConfig

/// The page of the guide with all settings, made from their declarations.
enum SettingsPage {
    /// Settings of one subject.
    private struct Group {
        var title: String
        var settings: [Setting]
        var isOfProcess: Bool
    }

    static var text: String {
        let process = ["## Settings of the process"] + ofProcess.flatMap(sections)
        let channel = ["## Settings of a channel", ofChannelNote] + ofChannel.flatMap(sections)
        return ([head] + process + channel).joined(separator: "\n\n") + "\n"
    }

    private static let head = """
        # Settings

        This page lists all settings. A test compares it with the program. A setting has one name everywhere: `segment-duration` in a
        file is `--segment-duration` as a flag and `PACKAGER_SEGMENT_DURATION` in the environment. Flags win over the environment, which
        wins over the file. [Config/packager.yaml](../Config/packager.yaml) is a file to begin with.

        - **Seconds** have up to three decimals. A **time** is a number of days, hours, minutes or seconds, such as 14d, 36h, 90m or 30s.
          **Bytes** may have K, M, G or T for powers of 1024. **Paths** are relative to the directory where you start the packager.
        - A **list** is a list in YAML. Repeat a flag for each item; in the environment, write one item on each line. Most also accept
          commas.
        - A flag of `true` or `false` takes no value. `–` for a flag means that only a file can have the setting.

        | a change takes effect | how |
        |---|---|
        | reload | at once, with a reload or through the control API: viewers lose nothing |
        | restart | when you restart the packager |
        | new stream | a channel on air keeps the old value: remove the channel first, or restart the packager; then a new window begins |
        | by field | see the table of its fields |
        """

    private static var ofChannelNote: String {
        let own = Setting.ofChannel.filter(\.isOfOneChannel).map { "`\($0.name)`" }.joined(separator: ", ")
        return """
            These belong to one channel: \(own).
            All others may also be at the top level of a file, where they apply to every channel without a value of its own.
            """
    }

    private static var ofProcess: [Group] {
        let grouped = Configuration.keySettings + Configuration.securitySettings + Configuration.eventSettings
        let names = Set(grouped.map(\.declaration.name))
        let others = Configuration.settings.filter { !names.contains($0.declaration.name) }
        return [
            group("Listeners and logs", others), group("Keys for players", Configuration.keySettings),
            group("HTTPS and the control API", Configuration.securitySettings),
            group("Events and webhooks", Configuration.eventSettings),
        ]
    }

    private static var ofChannel: [Group] {
        [
            group("Feeds", ChannelConfiguration.feedSettings), group("Stream", ChannelConfiguration.streamSettings),
            group("Encryption", ChannelConfiguration.protectionSettings),
            group("Loss of inputs", ChannelConfiguration.lossSettings),
            group("Storage and peer", ChannelConfiguration.storageSettings),
            group("Monitoring", ChannelConfiguration.monitoringSettings),
        ]
    }

    private static func group(_ title: String, _ settings: [BoundSetting<Configuration>]) -> Group {
        Group(title: title, settings: settings.map(\.declaration), isOfProcess: true)
    }

    private static func group(_ title: String, _ settings: [BoundSetting<ChannelConfiguration>]) -> Group {
        Group(title: title, settings: settings.map(\.declaration), isOfProcess: false)
    }

    /// The table of a group, and those of the fields of its lists.
    private static func sections(_ group: Group) -> [String] {
        let columns = ["setting", "flag", "variable", "values", "default", "change", "what it does"]
        let rows = group.settings.map { setting in
            let isFlag = Setting.flags.contains { $0.name == setting.name }
            let names = [
                "`\(setting.name)`", isFlag ? "`--\(setting.flag)`" : "–",
                isFlag ? "`\(setting.environmentVariable)`" : "–",
            ]
            return names + facts(of: setting, isOfProcess: group.isOfProcess)
        }
        let fields = group.settings.compactMap { setting in
            setting.items.map { fieldTable($0.fields, of: setting.name, isOfProcess: group.isOfProcess) }
        }
        return ["### \(group.title)", table(columns, rows)] + fields.flatMap { $0 }
    }

    private static func fieldTable(_ fields: [Setting], of name: String, isOfProcess: Bool) -> [String] {
        let columns = ["field", "values", "default", "change", "what it does"]
        let rows = fields.map { ["`\($0.name)`"] + facts(of: $0, isOfProcess: isOfProcess, isField: true) }
        return ["#### \(fieldTitle(name))", table(columns, rows)]
    }

    private static func fieldTitle(_ name: String) -> String { "Fields of `\(name)`" }

    private static func facts(of setting: Setting, isOfProcess: Bool, isField: Bool = false) -> [String] {
        let words = [setting.help, setting.notes].filter { !$0.isEmpty }.joined(separator: " ")
        let change = change(of: setting, isOfProcess: isOfProcess, isField: isField)
        return [values(of: setting), holds(setting), change, words]
    }

    private static func change(of setting: Setting, isOfProcess: Bool, isField: Bool) -> String {
        if isOfProcess {
            // The list itself has said whether it can change.
            return isField || ConfigurationChange.changeable.contains(setting.name) ? "reload" : "restart"
        }
        if setting.items != nil { return "by field" }
        return setting.affects == .stream ? "new stream" : "reload"
    }

    private static func values(of setting: Setting) -> String {
        let syntax = setting.syntax
        if setting.items != nil {
            let fields = "list of mappings with [fields](#\(GuidePage.slug(fieldTitle(setting.name))))"
            return setting.items?.short == nil ? fields : "\(fields), or \(syntax.unit ?? setting.name)"
        }
        if syntax.isBoolean { return "`true`, `false`" }
        if !syntax.choices.isEmpty {
            let words = syntax.choices.map { "`\($0)`" }.joined(separator: ", ")
            return syntax.isList ? "list of \(words)" : words
        }
        let unit = syntax.unit.map { unit in unit == "dir" ? "directory" : unit } ?? "text"
        let value = syntax.limits.map { "\($0.lowerBound) to \($0.upperBound) \(unit)" } ?? unit
        return syntax.isList ? "list: \(value)" : value
    }

    private static func holds(_ setting: Setting) -> String {
        if let value = setting.defaultValue { return "`\(value)`" }
        return setting.absence ?? (setting.name == "input" ? "none: required" : "–")
    }

    private static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let lines = [columns, columns.map { _ in "---" }] + rows
        return lines.map { cells in
            "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
        }.joined(separator: "\n")
    }
}
