import Channels
import ContentProtection
import Foundation
import MediaCore
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// Files with the keys of a channel, which a test writes anew.
struct WrittenKeys {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a file with a key for each class of tracks, for all time.
    ///
    /// - Parameters:
    ///   - digit: The hexadecimal digit that keys and their IDs begin with.
    ///   - name: The name of the file.
    /// - Returns: The `key-source` of it.
    /// - Throws: If it cannot be written.
    @discardableResult
    func write(_ digit: Character, to name: String = "keys") throws -> String {
        let lines = KeyClasses().all.enumerated().map { index, keyClass in
            let digits = String(repeating: "\(digit)\(index)", count: 16)
            return #"{"class": "\#(keyClass.rawValue)", "keyID": "\#(digits)", "key": "\#(digits)"}"#
        }
        let path = try directory.write(lines.joined(separator: "\n"), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return "file:\(path)"
    }

    /// Makes the settings of a channel that has its keys from a source.
    static func channel(_ source: String, _ flags: [String: [String]] = [:]) throws -> ChannelConfiguration {
        let usual = ["encryption": ["sample-aes"], "key-source": [source]]
        return try Stage.channel("a", usual.merging(flags) { $1 })
    }

    /// Has the channel of a stage ask for the keys that it lacks, and returns the IDs of all that it knows.
    static func asked(in stage: Stage) throws -> Set<String> {
        let service = try #require(stage.host.registry.members.first).service
        service.channel.timeAdvanced()
        return Set((service.givenKeys()?.keys ?? []).map(\.keyID.description))
    }
}
