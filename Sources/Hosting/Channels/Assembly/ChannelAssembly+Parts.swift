import Archive
import Channels
import ContentProtection
import Files
import Foundation
import Ingest
import Logging
import MediaCore
import NIOCore
import PackagerConfig
import Packaging
import Presentation
import Segmenting

/// The parts of a channel that can be missing, or unreadable.
extension ChannelAssembly {
    func journal(
        for settings: ChannelConfiguration,
        identity: [String: String],
        media: (any MediaStore)?,
        _ watch: DiskWatch
    ) throws(SetupError) -> (journal: Journal?, restored: RestoredWindow?) {
        // A feed that is read from its beginning at every start continues no window.
        guard let directory = settings.state, settings.isRealtime else { return (nil, nil) }
        do throws(JournalError) {
            return try Journal.open(
                directory: directory,
                channel: settings.name,
                configuration: identity,
                defaults: ChannelConfiguration.identityOfDefaults,
                newSecret: settings.keys.acceptsNewSecret
                    ? .accepted(keysAreDerived: settings.keys.source == .derived) : .refused,
                media: media,
                segmentDuration: settings.segmentDuration,
                maximumBytes: settings.maximumMemory / 2,
                fileSystem: journalFiles,
                onEvent: { watch.note($0) }
            )
        } catch {
            throw SetupError("state", of: settings.name, "\(error)")
        }
    }

    /// Makes the file of accepted future actions, next to the saved window.
    func scheduleFile(for settings: ChannelConfiguration, _ watch: DiskWatch) -> ScheduleFile? {
        guard let directory = settings.state, settings.isRealtime else { return nil }
        return ScheduleFile(directory: directory, channel: settings.name) { watch.note($0) }
    }

    func filler(for settings: ChannelConfiguration) async throws(SetupError) -> LossFiller {
        switch settings.faults.onLoss {
        case .gap: return .gap
        case .hold: return .hold
        case .slate:
            guard let slate = settings.faults.slate ?? StandardSlate.path else {
                throw SetupError(
                    settings.faults.slate == nil ? "on-loss" : "slate",
                    of: settings.name,
                    "no slate has come with this program; give one with --slate"
                )
            }
            do throws(FileError) {
                // FFmpeg would wait for a writer if the path is a FIFO.
                try OpenFile.check(slate)
            } catch {
                throw SetupError("slate", of: settings.name, "\(slate): \(error.reason)")
            }
            let isOfSamples = [.sampleAES, .sampleAESCounterMode].contains(settings.encryption)
            let needsSubsamples = isOfSamples && settings.format.hasCommonEncryption
            let recorder = SlateRecorder(wantsSubsamples: needsSubsamples)
            let reader = InputReader(
                url: slate,
                options: .init(retries: false),
                consumer: recorder
            )
            reader.start()
            await reader.finished()
            do throws(SlateError) {
                return .slate(try recorder.finish().get())
            } catch {
                throw SetupError("slate", of: settings.name, "\(slate): \(error)")
            }
        }
    }

    func encryption(
        for settings: ChannelConfiguration,
        _ keySource: (any KeySource)?
    ) -> ChannelEncryption {
        switch (settings.encryption, keySource) {
        case (.aes128, let source?): .aes128(source, includesInitialization: settings.encryptsInitialization)
        case (.aes256GCM, let source?): .aes256GCM(source, includesInitialization: settings.encryptsInitialization)
        case (.sampleAES, let source?): .sampleAES(source, settings.keySystems)
        case (.sampleAESCounterMode, let source?): .sampleAESCounterMode(source, settings.keySystems)
        default: .none
        }
    }

    func keySchedule(for settings: ChannelConfiguration) throws(SetupError) -> KeySchedule? {
        guard settings.encryption != .none else { return nil }
        let secret: MasterSecret
        do {
            switch settings.keySecret {
            case .file(let path):
                secret = try MasterSecret.load(path: path)
            case .createdFile(let path) where isRehearsal && !FileManager.default.fileExists(atPath: path):
                secret = try volatileSecrets.known(ofChannel: settings.name) ?? MasterSecret.random()
            case .createdFile(let path):
                let directory = URL(filePath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                // A channel on air that gets a state directory continues with its keys.
                let known = volatileSecrets.known(ofChannel: settings.name)
                secret = try MasterSecret.loadOrCreate(path: path, writing: known)
            case .memory:
                secret = try volatileSecrets.secret(ofChannel: settings.name)
            }
        } catch {
            throw SetupError("key-secret", of: settings.name, "\(error)")
        }
        return KeySchedule(
            secret: secret,
            channel: settings.name,
            slotsPerPeriod: settings.slotsPerPeriod,
            classes: KeyClasses(apart: settings.keys.classes),
            keySize: settings.encryption == .aes256GCM ? .bits256 : .bits128
        )
    }
}
