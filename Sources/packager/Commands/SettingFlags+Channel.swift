import ContentProtection
import Foundation
import Hosting
import MediaCore
import PackagerConfig

extension SettingFlags {
    /// The one channel that a command is about, which does not run it.
    ///
    /// - Parameters:
    ///   - name: Nil for the only one.
    ///   - path: Of a file with its configuration.
    /// - Returns: How it is configured.
    /// - Throws: ``SetupError``, or what is wrong with the configuration.
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
                channels.isEmpty ? "there is no such channel" : "there are several channels; give --channel"
            )
        }
        return channel
    }
}

extension ChannelConfiguration {
    /// What derives keys from the master secret of a channel that is there already.
    ///
    /// - Parameters:
    ///   - name: What the keys are for.
    ///   - slotsPerPeriod: Nil for keys that never change.
    /// - Returns: As long keys as the channel's encryption wants.
    /// - Throws: ``SetupError``, or `MasterSecretFileError`, where there is none.
    func keySchedule(of name: String, _ slotsPerPeriod: Int64?) throws -> KeySchedule {
        switch keySecret {
        case .file(let path), .createdFile(let path):
            KeySchedule(
                secret: try MasterSecret.load(path: path),
                channel: name,
                slotsPerPeriod: slotsPerPeriod,
                classes: KeyClasses(apart: keyClasses),
                keySize: encryption == .aes256GCM ? .bits256 : .bits128
            )
        case .memory: throw SetupError("there is no master secret; give --key-secret or --state")
        }
    }
}
