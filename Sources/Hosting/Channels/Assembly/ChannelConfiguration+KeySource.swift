package import CPIX
package import ContentProtection
import KeySources
import MediaCore
package import PackagerConfig
import Playlists

/// The keys of a channel, as its settings name them.
extension ChannelConfiguration {
    /// The scheme that content keys are used with; nil if nothing is encrypted.
    package var encryptionScheme: EncryptionScheme? {
        switch (encryption, format) {
        case (.none, _): nil
        case (.aes128, _): .aes128
        case (.aes256GCM, _): .aes256GCM
        case (.sampleAES, let format): format.hasCommonEncryption ? .cbcs : .sampleAES
        case (.sampleAESCounterMode, _): .cenc
        }
    }

    /// Makes the source of the keys that the channel encrypts with.
    ///
    /// - Parameter schedule: Derives the keys, if nothing else gives them.
    /// - Returns: The source; nil if nothing is encrypted.
    /// - Throws: ``SetupError`` if a file cannot be read.
    package func source(of schedule: KeySchedule?) throws(SetupError) -> (any KeySource)? {
        guard let schedule, let scheme = encryptionScheme else { return nil }
        do {
            let trust = try DocumentTrust(recipientFile: keyRecipientFile, signerFile: keySignerFile)
            return switch keySource {
            case .derived: schedule
            case .file(let path): try fileSource(path, schedule.periods)
            case .cpix(let place): try documentSource(place, schedule, trust)
            case .speke(let url): try exchangeSource(url, schedule, scheme, trust)
            }
        } catch {
            throw SetupError("key-source", of: name, "\(error)")
        }
    }

    /// Makes what knows the keys that players may have: their source itself, or where they are kept.
    ///
    /// - Parameters:
    ///   - source: Gives the keys.
    ///   - store: Keeps those that cannot be derived again.
    /// - Returns: The directory.
    package func keyDirectory(_ source: any KeySource, _ store: KeyStore) -> any KeyDirectory {
        (source as? KeySchedule)
            ?? KnownKeys(store, periods: source.periods, classes: KeyClasses(apart: keyClasses))
    }

    private func fileSource(_ path: String, _ periods: CryptoPeriods) throws -> any KeySource {
        try DocumentKeySource(periods: periods, document: KeyFile(path: path)) { try KeyFile(path: path) }
    }

    /// The keys of a CPIX document, which is a file or comes from a server.
    private func documentSource(
        _ place: String,
        _ schedule: KeySchedule,
        _ trust: DocumentTrust
    ) throws -> any KeySource {
        let (periods, classes, slotDuration) = (schedule.periods, schedule.classes, segmentDuration)
        guard keySource.isServer else {
            let read = { @Sendable in
                try CPIXKeys(path: place, periods: periods, slotDuration: slotDuration, classes: classes, trust: trust)
            }
            return try DocumentKeySource(periods: periods, document: read(), read: read)
        }
        let server = try keyServer(place)
        return DocumentKeySource(periods: periods) {
            try await CPIXKeys(
                from: server,
                periods: periods,
                slotDuration: slotDuration,
                classes: classes,
                trust: trust
            )
        }
    }

    private func exchangeSource(
        _ url: String,
        _ schedule: KeySchedule,
        _ scheme: EncryptionScheme,
        _ trust: DocumentTrust
    ) throws -> any KeySource {
        SPEKEKeySource(
            try keyServer(url),
            contentID: contentID,
            scheme: scheme,
            periods: schedule.periods,
            slotDuration: segmentDuration,
            classes: schedule.classes,
            systems: keySystems,
            trust: trust
        )
    }

    private func keyServer(_ url: String) throws -> KeyServer {
        try KeyServer(url: url, credentialsFile: keyCredentialsFile, authorityFile: keyAuthorityFile)
    }
}
