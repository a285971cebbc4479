/// The changes that bring a running process to another configuration, decided before any of them is made.
package struct ConfigurationChange: Hashable, Sendable, CustomStringConvertible {
    /// The new channels.
    package private(set) var added: [ChannelConfiguration] = []
    /// Channels as they are to be from now on.
    package private(set) var changed: [ChannelConfiguration] = []
    /// Channels as they have been.
    package private(set) var removed: [ChannelConfiguration] = []
    /// The names of the unchanged ones.
    package private(set) var unchanged: [String] = []
    /// Changes that only a restart can make, one sentence each; then nothing is to happen.
    package private(set) var problems: [String] = []

    /// - Parameters:
    ///   - running: The configuration of the process now.
    ///   - wanted: The next configuration, read and checked.
    package init(from running: Configuration, to wanted: Configuration) {
        for setting in Configuration.settings where setting.differs(running, wanted) {
            let name = setting.declaration.name
            if !Self.changeable.contains(name) { problems.append("\(name): only a restart can change this") }
        }
        let before = Dictionary(running.channels.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(wanted.channels.map(\.name))
        for channel in wanted.channels {
            guard let old = before[channel.name] else {
                added.append(channel)
                continue
            }
            if old == channel { unchanged.append(channel.name) } else { changed.append(channel) }
            problems += Self.problems(from: old, to: channel)
        }
        renewReaders(of: wanted.channels.filter { unchanged.contains($0.name) })
        removed = running.channels.filter { !names.contains($0.name) }
    }

    /// The change in one phrase.
    package var description: String {
        let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$1.isEmpty }
        if parts.isEmpty { return "no channel has changed" }
        return parts.map { "\($0) \($1.map(\.name).joined(separator: ", "))" }.joined(separator: "; ")
    }

    /// Channels of several programs of one feed have one reader, which they get together.
    private mutating func renewReaders(of others: [ChannelConfiguration]) {
        guard let next = others.first(where: { other in (added + changed).contains { $0.sharesFeed(with: other) } })
        else {
            return
        }
        changed.append(next)
        unchanged.removeAll { $0 == next.name }
        renewReaders(of: others.filter { $0.name != next.name })
    }

    /// Settings of the process that are taken up while it runs.
    static let changeable: Set = [
        "api-allow", "connections-per-address", "event-retention", "event-storage", "webhooks",
    ]

    /// Players have the window of a channel, and it continues: settings for numbers, names and keys in it must stay.
    private static func problems(from old: ChannelConfiguration, to new: ChannelConfiguration) -> [String] {
        let settings = ChannelConfiguration.settings.filter { setting in
            setting.differs(old, new)
                && setting.identity(old).elements(of: .stream) != setting.identity(new).elements(of: .stream)
        }
        return settings.map { setting in
            "channel \(new.name): \(setting.declaration.name): a reload cannot change this on air; remove the channel "
                + "first, or restart the packager"
        }
    }
}

extension ChannelConfiguration {
    /// Returns true if one reader has the programs of both.
    fileprivate func sharesFeed(with other: ChannelConfiguration) -> Bool {
        program != nil && other.program != nil
            && !Set(inputs + backups).isDisjoint(with: other.inputs + other.backups)
    }
}

extension [(path: String, effect: SettingEffect, text: String)] {
    fileprivate func elements(of effect: SettingEffect) -> [String: String] {
        Dictionary(filter { $0.effect == effect }.map { ($0.path, $0.text) }) { first, _ in first }
    }
}
