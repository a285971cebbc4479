import ArgumentParser
import ContentProtection
import Foundation
import Hosting
import KeySources
import MediaCore
import Operations
import PackagerConfig
import Rekeying

/// `packager rekey`: makes a recording with few keys of a recording with many.
struct Rekey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a recording with one key for each class of tracks, for offline players.",
        discussion: """
            A recording is a directory that --output has written. The command decrypts and encrypts the media without \
            any other change, and keeps gaps, discontinuities, dates and DATERANGEs. The playlists of the copy are VOD. \
            Describe the channel with the flags or the file with which it was recorded.

              packager rekey /srv/live /srv/film --encryption sample-aes --key-rotation 300 --key-secret master.key \
            --new-name film

            The new keys derive from the same secret under another name; packager keys export --name film exports them. \
            Or give the keys in --new-keys. The command supports every format with every encryption.

            Exit codes: 0 copied, 2 not copied: bad usage or configuration, or a recording that cannot be rekeyed.
            """
    )

    @Argument(help: ArgumentHelp("The recording.", valueName: "directory"), completion: .directory)
    var source: String

    @Argument(help: ArgumentHelp("Directory of the copy; it must not exist yet.", valueName: "directory"))
    var destination: String

    @Option(
        help: ArgumentHelp(
            "The name for the derivation of the new keys. (default: the channel's name and -copy)",
            valueName: "name"
        )
    )
    var newName: String?

    @Option(
        help: ArgumentHelp(
            "Read the new keys from lines of JSON, as in key-source file:PATH.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newKeys: String?

    @Option(help: ArgumentHelp("The channel, if the file has several.", valueName: "name"))
    var channel: String?

    @Option(
        help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var config: String?

    @OptionGroup var settings: SettingFlags

    func run() async throws {
        do {
            let settings = try self.settings.channel(channel, in: config)
            let recording = try PublishedDirectory(directory: source)
            let known = try await keys(of: recording.slots, settings)
            let replacements = try replacements(settings)
            let summary = try Rekeyer(recording, known: known, replacements: replacements).copy(to: destination)
            print(Self.text(summary, replacements))
        } catch {
            LineWriter.standardError.write("packager: \(error)")
            throw ExitCode(2)
        }
    }

    /// Returns the keys of a recording, wherever they come from.
    private func keys(
        of slots: Set<MediaSequenceNumber>,
        _ settings: ChannelConfiguration
    ) async throws -> [KeyID: PeriodKey] {
        guard settings.encryption != .none else {
            throw SetupError("the channel is not encrypted; give the --encryption with which it was recorded")
        }
        // Keys of other sources do not derive from a secret.
        let schedule =
            try settings.keys.source == .derived
            ? settings.keySchedule(of: settings.name, settings.slotsPerPeriod)
            : KeySchedule(
                secret: .random(),
                channel: settings.name,
                slotsPerPeriod: settings.slotsPerPeriod,
                classes: KeyClasses(apart: settings.keys.classes)
            )
        guard let source = try settings.source(of: schedule), let first = slots.min() else { return [:] }
        // A key that was late may have left the first slots to the key before it.
        let slots = slots.union([MediaSequenceNumber(first.value - (settings.slotsPerPeriod ?? 0))])
        let directory = settings.keyDirectory(source, KeyStore(capacity: slots.count))
        await directory.recall(slots, from: source)
        return try directory.keys(availableFor: slots)
    }

    private func replacements(_ settings: ChannelConfiguration) throws -> [KeyClass: PeriodKey] {
        let keys =
            if let newKeys {
                try KeyFile(path: newKeys).keys(of: CryptoPeriod(0), KeyClasses(apart: settings.keys.classes).all)
            } else {
                try derived(settings, newName ?? "\(settings.name)-copy")
            }
        return Dictionary(keys.map { ($0.keyClass, $0) }) { first, _ in first }
    }

    private func derived(_ settings: ChannelConfiguration, _ name: String) throws -> [PeriodKey] {
        guard name != settings.name else {
            throw SetupError("--new-name is the name of the channel; a copy needs another name for its keys")
        }
        let schedule = try settings.keySchedule(of: name, nil)
        return try schedule.classes.all.map { try schedule.keys(for: CryptoPeriod(0), $0) }
    }

    private static func text(_ summary: Rekeyer.Summary, _ keys: [KeyClass: PeriodKey]) -> String {
        let names = KeyClass.allCases.compactMap { keyClass in keys[keyClass].map { "\(keyClass.rawValue) \($0.keyID)" }
        }
        return """
            copied \(summary.playlists) playlists, \(summary.segments) segments and \(summary.initializationSections) \
            initialization sections (\(summary.mergedSections) fewer than before); \(summary.gaps) gaps
            keys: \(names.joined(separator: ", "))
            """
    }
}
