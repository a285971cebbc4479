import ContentProtection
import MediaCore
import PackagerConfig
import Packaging
import Playlists

/// Storage and addresses of content keys.
extension ChannelAssembly {
    /// Makes the store of keys, with room for all keys that segments can need and that cannot be derived again.
    func keyStore(for settings: ChannelConfiguration) -> KeyStore {
        guard settings.keys.source != .derived else { return KeyStore() }
        let slots = settings.window.ticks / settings.segmentDuration.ticks
        // Slots that have left the window are served for as long again.
        return KeyStore(capacity: Int(2 * slots / (settings.slotsPerPeriod ?? slots)) + 8)
    }

    /// Makes the source of a channel's keys.
    ///
    /// Unless it derives them, only unknown keys are requested.
    func askedSource(_ source: (any KeySource)?, _ store: KeyStore) -> (any KeySource)? {
        guard let source, !(source is KeySchedule) else { return source }
        return StoredKeySource(store, otherwise: source)
    }

    /// Makes the addresses of keys in playlists, and of Clear Key licences, which want the same token.
    ///
    /// They are empty if only other licence servers have the keys.
    func playlistAddresses(for settings: ChannelConfiguration) -> KeyAddresses {
        let systems = settings.encryption == .none ? [] : settings.keySystems
        return systems.contains { [.identity, .clearkey].contains($0) }
            ? keyDelivery.addresses(ofChannel: settings.name) : KeyAddresses()
    }

    /// Makes the references that everybody may have of a key, wherever they are read.
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

    /// The address of Clear Key licences; nil for beside the playlists.
    func licenseURI(for settings: ChannelConfiguration) -> String? {
        let addresses = keyDelivery.addresses(ofChannel: settings.name)
        return addresses.isPlain ? nil : addresses.uri("clearkey")
    }
}
