import Logging

/// Turns settings into a ``Configuration`` and collects what is wrong with them.
struct ConfigurationReader {
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    private var flags: SettingLayer = [:]
    private var environment: SettingLayer = [:]
    private var file = FileSettings()

    // What the channels so far have for themselves, and where that was written.
    var takenNames: [String: SettingOrigin] = [:]
    var takenOutputs: [String: SettingOrigin] = [:]
    var isStandardInputTaken = false

    init(
        flags: [String: [String]],
        environment: [String: String],
        file: ConfigurationFile?
    ) throws(ConfigurationProblems) {
        if let file {
            let reader = try FileReader(file)
            self.file = reader.settings
            problems += reader.problems
        }
        readFlags(flags)
        readEnvironment(environment)
        keepChannelsApart()
    }

    /// The configuration; it counts only if there are no ``problems`` then.
    mutating func read() -> Configuration? {
        let settings = LayeredSettings(layers: [flags, environment, file.top.settings], path: "")
        let listen = value(.listen, in: settings, SettingValue.listenAddress)
        let control = value(.control, in: settings, SettingValue.listenAddress)
        let logLevel: Located<Logger.Level>? = value(.logLevel, in: settings, SettingValue.choice)
        let connectionsPerAddress = value(.connectionsPerAddress, in: settings, SettingValue.connectionCount)
        var channels: [ChannelConfiguration] = []
        for (index, section) in (file.channels ?? [FileSection(origin: file.top.origin)]).enumerated() {
            var settings = settings
            settings.layers.insert(section.settings, at: 2)
            if file.channels != nil { settings.path = "channels[\(index)]." }
            let origin = file.channels == nil ? .flag(ConfigurationKey.input.flag) : section.origin
            let audio = readAudio(section.audio ?? file.top.audio ?? [])
            let captions = readCaptions(section.captions ?? file.top.captions ?? [])
            channels += readChannels(settings, audio: audio, captions: captions, origin: origin)
        }
        guard let listen, let control, let logLevel else { return nil }
        return Configuration(
            listen: listen.value,
            control: control.value,
            logLevel: logLevel.value,
            connectionsPerAddress: connectionsPerAddress?.value,
            channels: channels,
            warnings: warnings
        )
    }

    // What holds for several channels is said once.

    mutating func report(_ origin: SettingOrigin, _ message: String) {
        let problem = ConfigurationProblem(origin: origin, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    mutating func warn(_ origin: SettingOrigin, _ message: String) {
        let warning = ConfigurationProblem(origin: origin, message: message)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// The one value of a key, or nil where there is none or it is wrong, which is reported.
    mutating func value<Value>(
        _ key: ConfigurationKey,
        in settings: LayeredSettings,
        _ parse: (String) throws(SettingValue.Invalid) -> Value
    ) -> Located<Value>? {
        let values = settings[key]
        guard let setting = values.first else { return nil }
        if values.count > 1 { report(setting.origin, "one value is expected, not \(values.count)") }
        return value(setting, parse)
    }

    /// A value, or nil where it is wrong, which is reported.
    mutating func value<Value>(
        _ setting: Setting,
        _ parse: (String) throws(SettingValue.Invalid) -> Value
    ) -> Located<Value>? {
        do {
            return Located(value: try parse(setting.text), origin: setting.origin)
        } catch {
            report(setting.origin, error.message)
            return nil
        }
    }

    private mutating func readFlags(_ flags: [String: [String]]) {
        let keys = ConfigurationKey.allCases.filter { !$0.isOfFileOnly }
        for (name, values) in flags.sorted(by: { $0.key < $1.key }) {
            let origin = SettingOrigin.flag("--\(name)")
            guard let key = keys.first(where: { $0.flag == "--\(name)" }) else {
                report(origin, "there is no such flag" + Suggestion.text(for: "--\(name)", among: keys.map(\.flag)))
                continue
            }
            if values.contains("") { report(origin, "there is no value") }
            let texts = values.isEmpty ? ["true"] : values.filter { !$0.isEmpty }
            self.flags[key] = texts.map { text in
                // A flag that says no means the opposite of its key.
                Setting(text: key == .realtime ? (text == "true" ? "false" : "true") : text, origin: origin)
            }
        }
    }

    private mutating func readEnvironment(_ variables: [String: String]) {
        let keys = ConfigurationKey.allCases.filter { !$0.isOfFileOnly }
        let prefix = ConfigurationKey.environmentPrefix
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) && !value.isEmpty {
            let origin = SettingOrigin.environment(name)
            if let key = keys.first(where: { $0.environmentVariable == name }) {
                let texts = key.isList ? value.split(whereSeparator: \.isNewline).map(String.init) : [value]
                environment[key] = texts.map { Setting(text: $0, origin: origin) }
            } else {
                // No problem: orchestrators make such names, PACKAGER_PORT for a service called packager.
                let names = keys.map { $0.environmentVariable.lowercased() }
                guard let nearest = Suggestion.nearest(to: name, among: names) else { continue }
                warn(origin, "there is no such setting (did you mean \(nearest.uppercased())?)")
            }
        }
    }

    /// Reports what is said of all channels but can only be true of one.
    private mutating func keepChannelsApart() {
        guard let channels = file.channels else { return }
        for key in ConfigurationKey.allCases where key.isOfOneChannel {
            if let origin = file.top.settings.removeValue(forKey: key)?.first?.origin {
                report(origin, "this belongs to a channel; write it below 'channels'")
            }
            guard channels.count > 1 else { continue }
            for settings in [flags.removeValue(forKey: key), environment.removeValue(forKey: key)] {
                guard let setting = settings?.first else { continue }
                report(setting.origin, "this can be said of one channel only; the file has \(channels.count)")
            }
        }
        for origin in [file.top.audio?.first?.origin, file.top.captions?.first?.origin].compactMap(\.self) {
            report(origin, "this belongs to a channel; write it below 'channels'")
        }
        file.top.audio = nil
        file.top.captions = nil
    }
}
