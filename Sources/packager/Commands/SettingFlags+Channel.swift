import ContentProtection
import Foundation
import Hosting
import MediaCore
import PackagerConfig

extension SettingFlags {
    /// Returns the one channel that a command is about, without running it.
    ///
    /// - Parameters:
    ///   - name: The name of the channel; nil for the only one.
    ///   - path: The path of a file with its configuration.
    /// - Returns: The configuration of the channel.
    /// - Throws: ``SetupError``, or the problems of the configuration.
    func channel(_ name: String?, in path: String?) throws -> ChannelConfiguration {
        let file = try path.map(ConfigurationFile.init(reading:))
        let channels = try Configuration.load(
            flags: given,
            environment: ProcessInfo.processInfo.environment,
            file: file,
            needsInput: false
        ).channels.filter { name == nil || $0.name == name }
        guard let channel = channels.first, channels.count == 1 else {
            throw SetupError(
                channels.isEmpty ? "there is no such channel" : "there are several channels; choose one with --channel"
            )
        }
        return channel
    }
}

extension ChannelConfiguration {
    /// Makes the schedule that derives keys from the master secret of an existing channel.
    ///
    /// - Parameters:
    ///   - name: The name that the keys are derived for.
    ///   - slotsPerPeriod: The slots of a crypto period; nil for keys that never change.
    /// - Returns: The schedule, with keys of the length that the channel's encryption wants.
    /// - Throws: ``SetupError``, or `MasterSecretFileError`, if there is no secret.
    func keySchedule(of name: String, _ slotsPerPeriod: Int64?) throws -> KeySchedule {
        switch keySecret {
        case .file(let path), .createdFile(let path):
            KeySchedule(
                secret: try MasterSecret.load(path: path),
                channel: name,
                slotsPerPeriod: slotsPerPeriod,
                classes: KeyClasses(apart: keys.classes),
                keySize: encryption == .aes256GCM ? .bits256 : .bits128
            )
        case .memory: throw SetupError("there is no master secret; give --key-secret or --state")
        }
    }
}
