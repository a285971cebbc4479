import MediaCore

/// Turns settings into a ``Configuration`` and collects their problems.
struct ConfigurationReader {
    var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    private(set) var notices: [ConfigurationProblem] = []
    private var flags = SettingLayer()
    private var environment = SettingLayer()
    var file = SettingLayer()
    var channelsOfAPI: [ChannelOfAPI] = []

    // Names and places that earlier channels occupy, with their origin.
    var takenNames: [String: SettingOrigin] = [:]
    var takenOutputs: [String: SettingOrigin] = [:]
    var takenDestinations: [String: SettingOrigin] = [:]
    var isStandardInputTaken = false
    /// The channels that receive feeds, by host and port.
    var takenReceivers: [String: (channel: String, origin: SettingOrigin)] = [:]
    /// The feeds that wait for their encoders, each once.
    var receivers: [Located<FeedLocation>] = []
    /// The network feeds with programs of channels, and the options of their readers.
    var sharedFeeds: [String: (FeedSubtitles, AudioTranscoding)] = [:]
    /// The senders of feeds that channels take programs of, with the places in the file.
    var sharedSenders: [String: (allowed: Set<AddressRange>, origin: SettingOrigin)] = [:]
    /// The place of an interstitial of the channel that is read, if players ask the origin about it.
    var interstitialOfOrigin: SettingOrigin?
    /// The places of the channels so far, by name.
    var channelOrigins: [String: ConfigurationReading.ChannelOrigins] = [:]

    init(
        flags: [String: [String]],
        environment: [String: String],
        texts: ConfigurationTexts
    ) throws(ConfigurationProblems) {
        if let file = texts.file {
            let reader = try FileReader(file)
            self.file = reader.top
            problems += reader.problems
        }
        try lay(texts.overlay, named: texts.overlayName)
        readFlags(flags)
        readEnvironment(environment)
        keepChannelsApart()
    }

    mutating func read(needsInput: Bool) -> ConfigurationReading {
        let settings = LayeredSettings(layers: [flags, environment, file], path: "")
        let reading = read(Configuration.self, from: settings)
        checkDelivery(reading)
        checkSecurity(reading)
        checkAccess(channelsOfAPI, reading.value.apiAllow)
        var configuration = reading.value
        let sections = file.items[Setting.channelsKey]
        for (index, section) in (sections ?? [SettingLayer()]).enumerated() {
            var settings = settings
            settings.layers.insert(section, at: 2)
            if sections != nil { settings.path = "\(Setting.channelsKey)[\(index)]." }
            // Without a list of channels, the problem names the flag.
            let place: SettingOrigin? = sections == nil ? .flag("--input") : section.origin
            let channels = readChannels(settings, missing: needsInput ? place : nil)
            configuration.channels += limitingRedirects(of: channels, section, reading.value.apiAllow)
        }
        if configuration.channels.allSatisfy(\.endsByItself) {
            // Jobs have no viewers, and run beside packagers with these ports.
            if !reading.isGiven(\.listen) { (configuration.listen.port, configuration.isListenAnnounced) = (0, false) }
            if !reading.isGiven(\.control) {
                (configuration.control.port, configuration.isControlAnnounced) = (0, false)
            }
        } else {
            checkListeners(reading)
            checkReach(reading, of: configuration.channels)
        }
        configuration.warnings = warnings
        return ConfigurationReading(
            configuration: configuration,
            problems: problems,
            origins: reading.places,
            channels: channelOrigins,
            notices: notices
        )
    }

    /// Reads all settings of a type; those not given have their defaults.
    mutating func read<Root: Configurable>(
        _ type: Root.Type,
        from settings: LayeredSettings
    ) -> SettingReading<Root> {
        var reading = SettingReading<Root>(origin: settings.layers.first?.origin)
        for setting in Root.settings { setting.read(&self, settings, &reading) }
        return reading
    }

    // A problem of several channels is reported once.

    mutating func report(_ origin: SettingOrigin, _ message: String, isForbidden: Bool = false) {
        let problem = ConfigurationProblem(origin: origin, message: message, isForbidden: isForbidden)
        if !problems.contains(problem) { problems.append(problem) }
    }

    mutating func warn(_ origin: SettingOrigin, _ message: String) {
        let warning = ConfigurationProblem(origin: origin, message: message)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    mutating func note(_ origin: SettingOrigin, _ message: String) {
        notices.append(ConfigurationProblem(origin: origin, message: message))
    }

    /// A value, or nil if it is wrong, which is reported.
    mutating func value<Value>(
        _ written: WrittenValue,
        _ parse: (String) throws(SettingValue.Invalid) -> Value
    ) -> Value? {
        do {
            return try parse(written.text)
        } catch {
            let shown = SecretMask.masked(written.text)
            report(
                written.origin,
                shown == written.text ? error.message : error.message.replacing(written.text, with: shown)
            )
            return nil
        }
    }

    private mutating func readFlags(_ flags: [String: [String]]) {
        for (name, values) in flags.sorted(by: { $0.key < $1.key }) {
            let origin = SettingOrigin.flag("--\(name)")
            guard let setting = Setting.flags.first(where: { $0.flag == name }) else {
                let names = Setting.flags.map { "--\($0.flag)" }
                report(origin, "there is no such flag" + Suggestion.text(for: "--\(name)", among: names))
                continue
            }
            if values.contains("") { report(origin, "there is no value") }
            var texts = values.isEmpty ? [setting.isNegated ? "false" : "true"] : values.filter { !$0.isEmpty }
            if texts.count > 1, !setting.syntax.isList {
                warn(
                    origin,
                    "it is given \(texts.count) times (\(texts.map(SecretMask.masked).joined(separator: ", "))): the last one applies"
                )
                texts.removeFirst(texts.count - 1)
            }
            self.flags.values[setting.name] = texts.map { WrittenValue(text: $0, origin: origin) }
        }
    }

    private mutating func readEnvironment(_ variables: [String: String]) {
        let prefix = Setting.environmentPrefix
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) && !value.isEmpty {
            let origin = SettingOrigin.environment(name)
            if let setting = Setting.flags.first(where: { $0.environmentVariable == name }) {
                let texts = setting.syntax.isList ? value.split(whereSeparator: \.isNewline).map(String.init) : [value]
                environment.values[setting.name] = texts.map { WrittenValue(text: $0, origin: origin) }
            } else {
                // No problem: programs beside this one may have variables of such names.
                let names = Setting.flags.map { $0.environmentVariable.lowercased() }
                let nearest = Suggestion.nearest(to: name, among: names)
                if nearest == nil, Self.isOfOrchestrator(name) { continue }
                warn(origin, "there is no such setting" + (nearest.map { " (did you mean \($0.uppercased())?)" } ?? ""))
            }
        }
    }

    /// Returns true if Docker or Kubernetes make a variable of this name for a service called packager.
    private static func isOfOrchestrator(_ name: String) -> Bool {
        ["_PORT", "_SERVICE_HOST", "_SERVICE_PORT", "_ADDR", "_PROTO", "_TCP", "_UDP"].contains(where: name.hasSuffix)
            || name.contains("_SERVICE_PORT_")
    }

    /// Reports settings given for all channels that only one channel can have.
    private mutating func keepChannelsApart() {
        guard let channels = file.items[Setting.channelsKey] else { return }
        for setting in Setting.ofChannel where setting.isOfOneChannel {
            let values = file.values.removeValue(forKey: setting.name)?.first?.origin
            let items = file.items.removeValue(forKey: setting.name)?.first?.origin
            if let origin = values ?? items { report(origin, "this belongs to a channel; write it below 'channels'") }
            guard channels.count > 1 else { continue }
            for values in [
                flags.values.removeValue(forKey: setting.name), environment.values.removeValue(forKey: setting.name),
            ] {
                guard let value = values?.first else { continue }
                report(value.origin, "this can be set for one channel only; the file has \(channels.count)")
            }
        }
    }
}
