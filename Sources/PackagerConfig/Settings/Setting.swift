/// The declaration of a setting: flags, the environment, files, their documentation and the identity of a stream are
/// made from it.
///
/// A setting has one name everywhere: `segment-duration` in a file is `--segment-duration` as a flag and
/// `PACKAGER_SEGMENT_DURATION` in the environment. To add one, write a property of ``ChannelConfiguration`` or
/// ``Configuration``, whose initial value is the default, and a row of its `settings`.
package struct Setting: Sendable {
    package let name: String
    package let syntax: SettingSyntax
    /// The default value as text; nil if there is none.
    package let defaultValue: String?
    /// The meaning of a missing value, if it needs an explanation.
    package let absence: String?
    /// A value in YAML, for a setting without a default; its lines after the first are below the key.
    let example: String?
    /// True if it cannot mean the same for several channels.
    package let isOfOneChannel: Bool
    /// The values that the control API accepts; of a list of mappings its fields have their own.
    let api: APIAccess
    let affects: SettingEffect
    /// The fields of its items, if it is a list of mappings, which only a file can express in full.
    let items: Items?
    /// A paragraph with the meaning, and a second one with details.
    let text: String

    /// A list of mappings.
    struct Items: Sendable {
        /// The name of an item in messages.
        let noun: String
        let example: String
        let fields: [Setting]
        /// Reads a text that stands for an item on a command line or in the environment; nil if none can.
        let short: (@Sendable (WrittenValue) -> SettingLayer)?
    }

    /// The first paragraph of its text, as one line.
    package var help: String { paragraph(0) }

    /// The second paragraph of its text; empty if there is none.
    var notes: String { paragraph(1) }

    private func paragraph(_ index: Int) -> String {
        let paragraphs = text.split(separator: "\n\n")
        guard paragraphs.indices.contains(index) else { return "" }
        return paragraphs[index].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The settings of an item, if it is a list of mappings.
    package var fields: [Setting]? { items?.fields }

    /// The settings of the process.
    package static let ofProcess = Configuration.settings.map(\.declaration)

    /// The settings of a channel.
    package static let ofChannel = ChannelConfiguration.settings.map(\.declaration)

    /// The settings that a command line and the environment can express, the most usual first.
    package static let flags = (ofChannel + ofProcess).filter { $0.items?.short != nil || $0.items == nil }

    /// The key of a file that has the channels.
    package static let channelsKey = "channels"

    /// The key of an overlay that has the names of channels of the file that do not run.
    static let removedKey = "removed"

    static let environmentPrefix = "PACKAGER_"

    /// The flag without `--`: the name, with `no-` if the default is true.
    package var flag: String { isNegated ? "no-\(name)" : name }

    /// True if its flag says no.
    var isNegated: Bool { syntax.isBoolean && defaultValue == "true" }

    /// `PACKAGER_` and the name in capitals.
    var environmentVariable: String {
        Self.environmentPrefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }
}
