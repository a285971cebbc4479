import Assets
package import CPIX
package import ContentProtection
import Files
import KeySources
import MediaCore
import Operations
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
            let trust = try documentTrust
            return switch keys.source {
            case .derived: schedule
            case .file(let path): try fileSource(path, schedule.periods)
            case .cpix(let place): try documentSource(place, schedule, trust)
            case .speke(let url): try exchange(url, scheme, trust)(contentID, schedule)
            }
        } catch {
            throw SetupError("key-source", of: name, "\(error)")
        }
    }

    /// Makes the new keys of finished recordings, on request.
    ///
    /// - Parameter schedule: The schedule, which derives keys and has the classes of tracks; nil without encryption.
    /// - Returns: The keys, or the reason why there are none.
    /// - Throws: ``SetupError`` if a file cannot be read.
    func assetKeys(of schedule: KeySchedule?) throws(SetupError) -> AssetKeys {
        guard let schedule, let scheme = encryptionScheme else { return AssetKeys(refusal: .notEncrypted) }
        let classes = schedule.classes.all
        switch keys.source {
        case .derived:
            if keySecret == .memory { return AssetKeys(refusal: .secretNotKept) }
            return AssetKeys(classes: classes) { schedule.schedule(ofRecording: $0) }
        // A document only has the crypto periods of the channel.
        case .file, .cpix: return AssetKeys(refusal: .keysOfDocument(keys.source.kind))
        case .speke(let url):
            do {
                let source = try exchange(url, scheme, documentTrust)
                return AssetKeys(classes: classes) { [contentID] id in
                    source(KeySchedule.content(ofRecording: id, of: contentID), schedule.schedule(ofRecording: id))
                }
            } catch {
                throw SetupError("key-source", of: name, "\(error)")
            }
        }
    }

    /// Makes the directory of the keys that players may have: their source itself, or the store.
    ///
    /// - Parameters:
    ///   - source: Gives the keys.
    ///   - store: Keeps keys that cannot be derived again.
    /// - Returns: The directory.
    package func keyDirectory(_ source: any KeySource, _ store: KeyStore) -> any KeyDirectory {
        (source as? KeySchedule)
            ?? KnownKeys(store, periods: source.periods, classes: KeyClasses(apart: keys.classes))
    }

    private func fileSource(_ path: String, _ periods: CryptoPeriods) throws -> any KeySource {
        let disk = DiskReader("key-source")
        return try DocumentKeySource(periods: periods, document: KeyFile(path: path)) {
            try await disk.value { try KeyFile(path: path) }
        }
    }

    /// The keys of a CPIX document, which is a file or comes from a server.
    private func documentSource(
        _ place: String,
        _ schedule: KeySchedule,
        _ trust: DocumentTrust
    ) throws -> any KeySource {
        let (periods, classes, slotDuration) = (schedule.periods, schedule.classes, segmentDuration)
        guard keys.source.isServer else {
            let read = { @Sendable in
                try CPIXKeys(path: place, periods: periods, slotDuration: slotDuration, classes: classes, trust: trust)
            }
            let disk = DiskReader("key-source")
            return try DocumentKeySource(periods: periods, document: read()) { try await disk.value(read) }
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

    /// Returns a function that makes the SPEKE source of a content, by its content ID.
    private func exchange(
        _ url: String,
        _ scheme: EncryptionScheme,
        _ trust: DocumentTrust
    ) throws -> @Sendable (String, KeySchedule) -> any KeySource {
        let server = try keyServer(url)
        return { [segmentDuration, keySystems] contentID, schedule in
            SPEKEKeySource(
                server,
                contentID: contentID,
                scheme: scheme,
                periods: schedule.periods,
                slotDuration: segmentDuration,
                classes: schedule.classes,
                systems: keySystems,
                trust: trust
            )
        }
    }

    /// The signer of documents, and the key that opens them.
    private var documentTrust: DocumentTrust {
        get throws { try DocumentTrust(recipientFile: keys.recipientFile, signerFile: keys.signerFile) }
    }

    private func keyServer(_ url: String) throws -> KeyServer {
        try KeyServer(url: url, credentialsFile: keys.credentialsFile, authorityFile: keys.authorityFile)
    }
}
