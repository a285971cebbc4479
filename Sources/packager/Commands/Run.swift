import ArgumentParser
import Hosting
import Logging
import Operations
import PackagerConfig
import Succession

/// `packager [run]`: packages and serves until a signal ends it.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Packages a live feed as HLS and serves it (the default command).",
        discussion: """
            It takes an encoder's feed, and its origin serves players an encrypted, live HLS stream. The stream survives \
            the loss of the encoder: lost time becomes a gap, and media continues at its true time.

              packager --input udp://0.0.0.0:5000
              packager --input 'srt://0.0.0.0:9000?mode=listener' --encryption sample-aes
              packager --input Samples/feed.ts --loop
              packager --input udp://0.0.0.0:5000 --backup udp://0.0.0.0:5001 --clock pts --state /var/lib/packager
              packager --config Config/packager.yaml

            The player page is at / and the stream at /NAME/index.m3u8. The control API shows the state of inputs and what \
            happened, and switches inputs. Flags win over the environment (PACKAGER_SEGMENT_DURATION and so on), which wins \
            over the file. Exit codes: 0 told to end, or job done, 1 internal failure, or job not done, 2 bad usage or \
            configuration, 3 standard input has ended and there is no other feed.
            """
    )

    @Option(
        help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The file with the channels that the control API has changed (default: NAME.channels.yaml beside NAME.yaml).",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml"])
    )
    var channels: String?

    @OptionGroup var settings: SettingFlags

    func run() async throws {
        ProcessTuning.apply()
        let source = ConfigurationSource(flags: settings.given, path: config, overlayPath: channels)
        let predecessor = SuccessorProcess.inheritance(in: source.environment)
        let (configuration, texts, reading): (Configuration, ConfigurationTexts, ConfigurationReading)
        let (endpoint, security): (KeyEndpoint, ListenerSecurity)
        let takeover: Takeover?
        var logger = Logger(label: "packager") { _ in LineLogHandler() }
        var format = LogFormat.text
        do {
            texts = try source.texts()
            reading = try source.read(texts)
            format = reading.configuration.logFormat
            logger = Logger(label: "packager") { _ in LineLogHandler(format: reading.configuration.logFormat) }
            logger.logLevel = reading.configuration.logLevel
            LineWriter.standardError.setFormat(format)
            endpoint = await KeyEndpoint(reading, logger: logger)
            security = ListenerSecurity(reading)
            configuration = try await Self.checked(reading, endpoint, security, source, logger)
            for notice in reading.notices { logger.notice("configuration notice", metadata: ["what": "\(notice)"]) }
            takeover = if let predecessor { try await Takeover(predecessor) } else { nil }
        } catch {
            Self.complain("\(error)", format, to: predecessor)
            throw ExitCode(2)
        }
        do {
            try await ProgramAssembly(
                configuration,
                of: texts,
                endpoint,
                security,
                source,
                takeover,
                version: Version.line,
                logger: logger
            ).run()
        } catch let error as SetupError {
            let problems = reading.located(error.items).map(\.description)
            Self.complain(SetupError(problems).description, format, to: predecessor)
            throw ExitCode(2)
        } catch let error as FeedError {
            Self.complain("\(error)", format)
            throw ExitCode(error.exitCode)
        }
    }

    /// Returns the configuration if nothing is wrong with it.
    ///
    /// - Throws: `ConfigurationProblems` with everything that is wrong, at once.
    private static func checked(
        _ reading: ConfigurationReading,
        _ endpoint: KeyEndpoint,
        _ security: ListenerSecurity,
        _ source: ConfigurationSource,
        _ logger: Logger
    ) async throws -> Configuration {
        do {
            return try reading.checked(or: endpoint.problems + security.problems)
        } catch {
            var quiet = logger
            quiet.logLevel = .critical
            let check = ConfigurationCheck(
                reading: reading,
                endpoint: endpoint,
                security: security,
                environment: source.environment,
                logger: quiet
            )
            return try reading.checked(or: await check.problems)
        }
    }

    /// Reports why the program ends, on the terminal or in the log.
    ///
    /// - Parameters:
    ///   - message: The reason why the program cannot continue.
    ///   - format: The format of the log.
    ///   - predecessor: The process that this one was to replace, which logs the failure.
    private static func complain(_ message: String, _ format: LogFormat, to predecessor: SuccessionSocket? = nil) {
        switch format {
        case .text: LineWriter.standardError.complain("packager: \(message)")
        case .json: LineWriter.standardError.complain(LogLine(.critical, message).text(format))
        }
        try? predecessor?.send(SuccessionMessage(.refused, bytes: Array(message.utf8)))
    }
}
