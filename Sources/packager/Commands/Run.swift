import ArgumentParser
import Foundation
import Logging
import Operations
import PackagerConfig

/// `packager [run]`: packages and serves until told to stop.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Packages a live feed as HLS and serves it (the default command).",
        discussion: """
            An encoder's feed comes in, players pull an encrypted, rolling HLS stream out of the built-in origin. The \
            stream outlives the encoder: what is lost is marked as a gap, and media goes on at its true time.

              packager --input udp://0.0.0.0:5000
              packager --input 'srt://0.0.0.0:9000?mode=listener' --encryption sample-aes
              packager --input Samples/feed.ts --loop
              packager --input udp://0.0.0.0:5000 --backup udp://0.0.0.0:5001 --clock pts --state /var/lib/packager
              packager --config Config/packager.yaml

            The player page is at / and the stream at /NAME/index.m3u8. The operator face tells how inputs are and what \
            happened, and switches them. Flags win over the environment (PACKAGER_SEGMENT_DURATION and so on), which wins over the file. Exit codes: \
            0 ended as asked, 1 internal failure, 2 bad usage or configuration.
            """
    )

    @Option(
        help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Where what the operator face is told of channels is kept (default: beside the configuration file, as NAME.channels.yaml).",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml"])
    )
    var channels: String?

    @OptionGroup var settings: SettingFlags

    func run() async throws {
        ProcessTuning.apply()
        let source = ConfigurationSource(flags: settings.given, path: config, overlayPath: channels)
        let (configuration, texts, endpoint): (Configuration, ConfigurationTexts, KeyEndpoint)
        let inheritance: Inheritance?
        var logger = Logger(label: "packager") { LineLogHandler(label: $0) }
        do {
            texts = try source.texts()
            let reading = try source.read(texts)
            logger.logLevel = reading.configuration.logLevel
            endpoint = await KeyEndpoint(reading, logger: logger)
            configuration = try reading.checked(or: endpoint.problems)
            inheritance = try await Inheritance.announced(in: source.environment)
        } catch {
            Self.complain("\(error)")
            throw ExitCode(2)
        }
        do {
            try await Assembly(configuration, of: texts, endpoint, source, inheritance, logger: logger).run()
        } catch let error as SetupError {
            Self.complain("\(error)")
            throw ExitCode(2)
        } catch let error as FeedError {
            Self.complain("\(error)")
            throw ExitCode(1)
        }
    }

    private static func complain(_ message: String) {
        LineWriter.standardError.write("packager: \(message)")
    }
}
