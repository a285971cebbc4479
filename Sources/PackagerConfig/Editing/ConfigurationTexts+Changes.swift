import MediaCore
import Yams

extension ChannelDocument {
    /// Returns the values that differ between two documents, from and to, without secrets.
    ///
    /// - Parameters:
    ///   - old: The former document; nil if there was none.
    ///   - new: The new document; nil if there is none.
    /// - Returns: A phrase for each key, in its order.
    package static func changes(from old: ChannelDocument?, to new: ChannelDocument?) -> [String] {
        WrittenTree.changes(from: old?.tree.entries ?? [], to: new?.tree.entries ?? [])
    }
}

extension ConfigurationTexts {
    /// The values that differ from those of other texts, without secrets; of settings of the process the names alone.
    package func changes(from old: ConfigurationTexts) -> [String] {
        let (before, after) = (old.entries, entries)
        let own = Set(Setting.ofChannel.map(\.name))
        let ofAll = WrittenTree.changes(
            from: before.filter { own.contains($0.key) },
            to: after.filter { own.contains($0.key) }
        )
        let names = Set((before + after).map(\.key)).subtracting(own).subtracting([Setting.channelsKey]).sorted()
        let ofProcess = names.filter { name in
            before.first { $0.key == name }?.value != after.first { $0.key == name }?.value
        }
        let channels = Set(old.channelNames + channelNames).sorted()
        let ofChannels = channels.flatMap { name in
            ChannelDocument.changes(from: old.channel(name), to: channel(name)).map { "\(name): \($0)" }
        }
        return ofProcess.map { "\($0) changed" } + ofAll + ofChannels
    }

    /// The entries at the top of the file.
    private var entries: [WrittenTree.Entry] {
        guard let file, let root = try? compose(yaml: file.text) else { return [] }
        return WrittenTree(file: root)?.entries ?? []
    }

    /// The names of the listed channels; without a list the channel is at the top level.
    private var channelNames: [String] {
        var names = overlay.channels.map(\.name) + overlay.removed
        if case .list(let list)? = entries.first(where: { $0.key == Setting.channelsKey })?.value {
            names += list.compactMap { section in
                section.entries?.first { $0.key == ChannelDocument.nameKey }?.value.texts.first
            }
        }
        return names
    }
}

extension WrittenTree {
    /// The most characters of a value, and the most values, in a line.
    private static let (longest, most) = (120, 20)

    fileprivate static func changes(from old: [Entry], to new: [Entry]) -> [String] {
        let keys = new.map(\.key) + old.map(\.key).filter { key in !new.contains { $0.key == key } }
        let changes = keys.compactMap { key -> String? in
            let (before, after) = (old.first { $0.key == key }?.value, new.first { $0.key == key }?.value)
            guard before != after else { return nil }
            return "\(key) from \(before?.shown ?? "nothing") to \(after?.shown ?? "nothing")"
        }
        return changes.count > most ? changes.prefix(most) + ["and \(changes.count - most) more"] : changes
    }

    private var shown: String {
        let text = masked.line
        return text.count > Self.longest ? text.prefix(Self.longest) + "…" : text
    }

    private var line: String {
        switch self {
        case .none: "null"
        case .text(let text): text
        case .list(let list): "[\(list.map(\.line).joined(separator: ", "))]"
        case .mapping(let entries): "{\(entries.map { "\($0.key): \($0.value.line)" }.joined(separator: ", "))}"
        }
    }
}
