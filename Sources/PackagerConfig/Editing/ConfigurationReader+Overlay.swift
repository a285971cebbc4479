extension ConfigurationReader {
    /// Replaces and adds the channels of an overlay, and removes those that it removes.
    ///
    /// - Throws: ``ConfigurationProblems`` if it cannot be read at all.
    mutating func lay(_ overlay: ChannelOverlay, named name: String) throws(ConfigurationProblems) {
        guard !overlay.isEmpty else { return }
        var sections = file.items[Setting.channelsKey] ?? [takeOnlyChannel()]
        let reader = try FileReader(ConfigurationFile(name: name, text: overlay.text), isOverlay: true)
        problems += reader.problems
        var others = reader.top.items[Setting.channelsKey] ?? []
        channelsOfAPI = others.map { other in
            ChannelOfAPI(section: other, written: sections.first { $0.name == other.name })
        }
        sections = sections.compactMap { section in
            let channel = section.name
            if overlay.removed.contains(channel) {
                if let origin = section.origin {
                    warn(origin, "this entry has no effect: the control API has removed channel \(channel) (\(name))")
                }
                return nil
            }
            guard let index = others.firstIndex(where: { $0.name == channel }) else { return section }
            if let origin = section.origin {
                warn(origin, "this entry has no effect: the control API has changed channel \(channel) (\(name))")
            }
            return others.remove(at: index)
        }
        sections += others
        file.items[Setting.channelsKey] = sections
        if sections.isEmpty { report(.file(name: name, line: 1, path: Setting.removedKey), "no channel is left") }
    }

    /// Takes the one channel of a file that has no list: its settings are those that only a channel can have.
    private mutating func takeOnlyChannel() -> SettingLayer {
        var section = SettingLayer(origin: file.origin)
        for setting in Setting.ofChannel where setting.isOfOneChannel {
            section.values[setting.name] = file.values.removeValue(forKey: setting.name)
            section.items[setting.name] = file.items.removeValue(forKey: setting.name)
        }
        return section
    }
}

extension SettingLayer {
    /// The channel's that it describes.
    var name: String { values[ChannelDocument.nameKey]?.first?.text ?? ChannelConfiguration().name }
}
