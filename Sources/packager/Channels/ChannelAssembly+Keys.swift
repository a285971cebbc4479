import CPIX
import ContentProtection
import KeySources
import MediaCore
import PackagerConfig
import Packaging
import Playlists

/// Where content keys come from, and who gives them out.
extension ChannelAssembly {
    /// What a channel encrypts with.
    ///
    /// - Parameters:
    ///   - settings: Of the channel.
    ///   - schedule: What derives its keys, if nothing else gives them.
    /// - Returns: Nil where nothing is encrypted.
    /// - Throws: ``SetupError`` where a file cannot be read.
    func keySource(for settings: ChannelConfiguration, _ schedule: KeySchedule?) throws(SetupError) -> (any KeySource)?
    {
        guard let schedule, let scheme = settings.encryptionScheme else { return nil }
        let (periods, classes, slotDuration) = (schedule.periods, schedule.classes, settings.segmentDuration)
        do {
            let trust = try DocumentTrust(
                recipientFile: settings.keyRecipientFile,
                signerFile: settings.keySignerFile
            )
            switch settings.keySource {
            case .derived: return schedule
            case .file(let path):
                return try DocumentKeySource(periods: periods, document: KeyFile(path: path)) {
                    try KeyFile(path: path)
                }
            case .cpix(let place) where !settings.keySource.isServer:
                let read = { @Sendable in
                    try CPIXKeys(
                        path: place,
                        periods: periods,
                        slotDuration: slotDuration,
                        classes: classes,
                        trust: trust
                    )
                }
                return try DocumentKeySource(periods: periods, document: read(), read: read)
            case .cpix(let url):
                let server = try keyServer(url, settings)
                return DocumentKeySource(periods: periods) {
                    try await CPIXKeys(
                        from: server,
                        periods: periods,
                        slotDuration: slotDuration,
                        classes: classes,
                        trust: trust
                    )
                }
            case .speke(let url):
                return SPEKEKeySource(
                    try keyServer(url, settings),
                    contentID: settings.contentID,
                    scheme: scheme,
                    periods: periods,
                    slotDuration: slotDuration,
                    classes: classes,
                    systems: settings.keySystems,
                    trust: trust
                )
            }
        } catch {
            throw SetupError("key-source", of: settings.name, "\(error)")
        }
    }

    private func keyServer(_ url: String, _ settings: ChannelConfiguration) throws -> KeyServer {
        try KeyServer(
            url: url,
            credentialsFile: settings.keyCredentialsFile,
            authorityFile: settings.keyAuthorityFile
        )
    }

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

    /// What knows the keys that players may have: their source itself, or where they are kept.
    func keyDirectory(
        _ source: any KeySource,
        _ store: KeyStore,
        _ settings: ChannelConfiguration
    ) -> any KeyDirectory {
        (source as? KeySchedule)
            ?? KnownKeys(store, periods: source.periods, classes: KeyClasses(apart: settings.keyClasses))
    }
}

extension ChannelConfiguration {
    /// What content keys are used with; nil where nothing is encrypted.
    var encryptionScheme: EncryptionScheme? {
        switch (encryption, format) {
        case (.none, _): nil
        case (.aes128, _): .aes128
        case (.aes256GCM, _): .aes256GCM
        case (.sampleAES, let format): format.hasCommonEncryption ? .cbcs : .sampleAES
        case (.sampleAESCounterMode, _): .cenc
        }
    }
}
