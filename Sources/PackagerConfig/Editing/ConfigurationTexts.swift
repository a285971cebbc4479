import Yams

/// The files of a configuration.
package struct ConfigurationTexts: Hashable, Sendable {
    /// The file of the configuration's author; nil if there is none.
    package var file: ConfigurationFile?
    package var overlay: ChannelOverlay
    /// The name of the overlay in messages.
    package var overlayName: String

    package init(file: ConfigurationFile? = nil, overlay: ChannelOverlay = ChannelOverlay(), overlayName: String = "") {
        (self.file, self.overlay, self.overlayName) = (file, overlay, overlayName)
    }

    /// Returns the document of a channel; nil if there is none, or the channel does not run.
    package func channel(_ name: String) -> ChannelDocument? {
        if let document = overlay.channels.first(where: { $0.name == name }) { return document }
        return overlay.removed.contains(name) ? nil : channelOfFile(name)
    }

    /// Returns the document in the configuration file, without later changes.
    package func channelOfFile(_ name: String) -> ChannelDocument? {
        guard let file, let root = try? compose(yaml: file.text), let entries = WrittenTree(file: root)?.entries else {
            return nil
        }
        let sections: [WrittenTree]
        if let channels = entries.first(where: { $0.key == Setting.channelsKey })?.value {
            guard case .list(let list) = channels else { return nil }
            sections = list
        } else {
            // The file describes one channel; settings that several channels may have hold for all.
            let own = Set(Setting.ofChannel.filter(\.isOfOneChannel).map(\.name))
            sections = [.mapping(entries.filter { own.contains($0.key) })]
        }
        for section in sections {
            var entries = section.entries ?? []
            if !entries.contains(where: { $0.key == ChannelDocument.nameKey }) {
                entries.insert(.init(key: ChannelDocument.nameKey, value: .text(ChannelConfiguration().name)), at: 0)
            }
            guard entries.contains(.init(key: ChannelDocument.nameKey, value: .text(name))) else { continue }
            return ChannelDocument(name: name, tree: .mapping(entries))
        }
        return nil
    }
}
