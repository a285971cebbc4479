import ContentProtection
import MediaCore
import PackagerConfig
import Packaging
import Playlists

/// Where content keys come from, and who gives them out.
extension ChannelAssembly {
    /// Where keys are kept: of those that cannot be derived again, as many as there can be segments that need them.
    func keyStore(for settings: ChannelConfiguration) -> KeyStore {
        guard settings.keySource != .derived else { return KeyStore() }
        let slots = settings.window.ticks / settings.segmentDuration.ticks
        // What has left the window is served for as long again.
        return KeyStore(capacity: Int(2 * slots / (settings.slotsPerPeriod ?? slots)) + 8)
    }

    /// Where playlists say that keys are, and Clear Key licences, which want the same token; they say nothing where only other
    /// licence servers have them.
    func playlistAddresses(for settings: ChannelConfiguration) -> KeyAddresses {
        let systems = settings.encryption == .none ? [] : settings.keySystems
        return systems.contains { [.identity, .clearkey].contains($0) }
            ? keyDelivery.addresses(ofChannel: settings.name) : KeyAddresses()
    }

    /// What everybody may know of a key, wherever it is read.
    func references(
        for settings: ChannelConfiguration,
        _ encryption: ChannelEncryption
    ) -> @Sendable (PeriodKey) -> [KeyReference] {
        let addresses = keyDelivery.addresses(ofChannel: settings.name)
        return { key in
            encryption.references(to: key).map { reference in
                var reference = reference
                if reference.system == .identity { reference.uri = addresses.uri(reference.uri) }
                return reference
            }
        }
    }

    /// Where Clear Key licences are; nil for beside the playlists.
    func licenseURI(for settings: ChannelConfiguration) -> String? {
        let addresses = keyDelivery.addresses(ofChannel: settings.name)
        return addresses.isPlain ? nil : addresses.uri("clearkey")
    }
}
