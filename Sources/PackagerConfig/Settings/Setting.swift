/// What is declared of a setting: flags, the environment, files, their documentation and the identity of a stream are
/// made from it.
///
/// A setting has one name everywhere: `segment-duration` in a file is `--segment-duration` as a flag and
/// `PACKAGER_SEGMENT_DURATION` in the environment.
package struct Setting: Sendable {
    package let name: String
    package let syntax: SettingSyntax
    /// What holds where nobody says anything; nil where that is no value.
    package let defaultValue: String?
    /// What no value means, where that has to be said.
    package let absence: String?
    /// What it is, in a line.
    package let help: String
    /// What else there is to know.
    package let notes: String
    /// A value in YAML, for what has no default; its lines after the first are below the key.
    package let example: String?
    /// Whether it cannot mean the same for several channels.
    package let isOfOneChannel: Bool
    package let affects: SettingEffect
    /// What its items consist of, where it is a list of mappings, which only a file can express.
    package let items: Items?

    /// A list of mappings.
    package struct Items: Sendable {
        /// What one is called in messages.
        package let noun: String
        package let example: String
        package let fields: [Setting]
    }

    /// Those of the process.
    package static let ofProcess = Configuration.settings.map(\.declaration)

    /// Those of a channel.
    package static let ofChannel = ChannelConfiguration.settings.map(\.declaration)

    /// All that a command line and the environment can express, the most usual first.
    package static let flags = (ofChannel + ofProcess).filter { $0.items == nil }

    /// The key of a file that has the channels.
    static let channelsKey = "channels"

    static let environmentPrefix = "PACKAGER_"

    /// The flag without `--`: the name, but `no-realtime`, since a flag says what is not so already.
    package var flag: String { isNegated ? "no-\(name)" : name }

    /// Whether its flag says no.
    var isNegated: Bool { syntax.isBoolean && defaultValue == "true" }

    /// `PACKAGER_` and the name in capitals.
    package var environmentVariable: String {
        Self.environmentPrefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }
}
