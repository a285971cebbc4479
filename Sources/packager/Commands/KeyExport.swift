import ArgumentParser
import CPIX
import ContentProtection
import Glibc
import Hosting
import KeySources
import MediaCore
import Operations
import PackagerConfig
import Playlists
import Timeline

/// `packager keys export`: writes derived keys as a CPIX document, for a licence server.
struct KeyExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the keys of a channel as a CPIX 2.4 document to standard output.",
        discussion: """
            Describe the channel with the same flags or the same file as when you run it; it needs no feed. Its keys \
            must derive from a master secret in a file.

              packager keys export --key-secret master.key --encryption sample-aes --key-rotation 300 \
            --from 2026-11-22T20:00:00Z --to 2026-11-22T23:00:00Z > keys.xml

            Exit codes: 0 written, 2 bad usage or configuration.
            """
    )

    /// The most crypto periods: a week with a new key every 30 s.
    private static let mostPeriods: Int64 = 20_160

    @Option(help: ArgumentHelp("Start: the crypto period that contains this time. (default: now)", valueName: "time"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "End: the crypto period that contains this time. (default: an hour later)",
            valueName: "time"
        )
    )
    var to: String?

    @Option(
        help: ArgumentHelp("Export the keys of this finished recording, if it has its own.", valueName: "id")
    )
    var recording: String?

    @Option(help: ArgumentHelp("The channel, if the file has several.", valueName: "name"))
    var channel: String?

    @Option(
        help: ArgumentHelp("Encrypt the keys for the holder of this certificate, in PEM.", valueName: "file"),
        completion: .file()
    )
    var recipient: String?

    @Flag(help: "Write the keys in the clear even if standard output is a terminal.")
    var clear = false

    @Option(
        help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var config: String?

    @OptionGroup var settings: SettingFlags

    func run() async throws {
        do {
            var document = try document()
            document.recipients = try recipient.map { [try Certificate(file: $0)] } ?? []
            guard clear || !document.recipients.isEmpty || isatty(STDOUT_FILENO) == 0 else {
                throw SetupError(
                    "standard output is a terminal and would show the keys in the clear; if you want that, give --clear"
                )
            }
            try WrittenDocument.write(document.xml())
        } catch {
            LineWriter.standardError.write("packager: \(error)")
            throw ExitCode(2)
        }
    }

    private func document() throws -> CPIXDocument {
        let settings = try self.settings.channel(channel, in: config)
        guard let scheme = settings.encryptionScheme else {
            throw SetupError("the channel is not encrypted; give the --encryption with which it runs")
        }
        guard scheme != .aes256GCM else {
            throw SetupError("keys of aes-256-gcm have 256 bits, and readers of CPIX expect 128")
        }
        guard settings.keys.source == .derived else {
            throw SetupError("only derived keys can be exported; these come from \(settings.keys.source.kind)")
        }
        let schedule = try settings.keySchedule(of: settings.name, settings.slotsPerPeriod)
        if let recording {
            return try CPIXDocument(
                contentID: KeySchedule.content(ofRecording: recording, of: settings.contentID),
                schedule.schedule(ofRecording: recording),
                periods: [CryptoPeriod(0)],
                slotDuration: settings.segmentDuration,
                scheme: scheme
            )
        }
        let first = try time(from, "--from") ?? SystemClock().now
        let last = try time(to, "--to") ?? first + MediaTime(seconds: 3600)
        guard first <= last else { throw SetupError("--to is before --from") }
        let bounds = [first, last].map { schedule.periods.period(of: settings.grid.slot(at: $0)).index }
        guard bounds[1] - bounds[0] < Self.mostPeriods else {
            throw SetupError("--from to --to covers more than \(Self.mostPeriods) crypto periods; shorten it")
        }
        return try CPIXDocument(
            contentID: settings.contentID,
            schedule,
            periods: (bounds[0]...bounds[1]).map(CryptoPeriod.init),
            slotDuration: settings.segmentDuration,
            scheme: scheme
        )
    }

    private func time(_ text: String?, _ flag: String) throws(SetupError) -> MediaTime? {
        guard let text else { return nil }
        guard let time = MediaTime(iso8601: text) else {
            throw SetupError("\(flag): '\(text)' is not a time with its zone, such as 2026-11-22T20:00:00Z")
        }
        return time
    }
}
