import ContentProtection
import Foundation
import Ingest
import Logging
import MediaCore
import Origin
import PackagerConfig
import Packaging
import Presentation
import ServiceLifecycle
import Timeline
import UnixSignals

/// Puts the program together from its configuration and runs it: the only place that knows every part.
struct Assembly {
    private let configuration: PackagerConfig.Configuration
    private let logger: Logger
    private let clock = SystemClock()

    init(_ configuration: PackagerConfig.Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs until told to stop, or until every channel has ended that ends the program.
    ///
    /// - Throws: ``SetupError`` for what the operator has to mend before anything starts.
    func run() async throws {
        for warning in configuration.warnings { logger.warning("configuration", metadata: ["problem": "\(warning)"]) }
        let parts = try assembleAll()
        let channels = parts.map(\.service.channel)
        let counters = OriginCounters()
        let listening = AsyncStream<Int>.makeStream()
        let origin = OriginServer(
            configuration: OriginConfiguration(host: configuration.listen.host, port: configuration.listen.port),
            channels: parts.map(\.origin),
            counters: counters,
            now: { [clock] in clock.now },
            logger: logger,
            onRunning: { port in
                listening.continuation.yield(port)
                listening.continuation.finish()
            }
        )
        let progress = StatusTerminal.shared.isTerminal ? ProgressLine(channels: channels, counters: counters) : nil
        let host = configuration.listen.host
        let media = MediaService(
            channels: parts.map(\.service),
            time: TimeService(channels: channels, progress: progress)
        ) {
            for await port in listening.stream {
                let address = ListenAddress(host: host, port: port)
                FileHandle.standardOutput.write(Data("listening http://\(address)/\n".utf8))
            }
        }
        // The service group's own messages say nothing to an operator.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        do {
            try await ServiceGroup(
                configuration: .init(
                    services: [
                        .init(service: origin),
                        .init(service: media, successTerminationBehavior: .gracefullyShutdownGroup),
                    ],
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: quiet
                )
            ).run()
        } catch let error as OriginError {
            throw SetupError("\(error)")
        }
    }

    private typealias Parts = (service: ChannelService, origin: OriginChannel)

    /// Puts all channels together, or says everything that keeps them from it.
    private func assembleAll() throws(SetupError) -> [Parts] {
        var problems: [String] = []
        var parts: [Parts] = []
        for settings in configuration.channels {
            for feed in settings.inputs
            where feed.kind == .file && !FileManager.default.isReadableFile(atPath: feed.location) {
                problems.append("input of channel \(settings.name): \(feed) is not a file that can be read")
            }
            do {
                parts.append(try assemble(settings))
            } catch {
                problems.append("\(error)")
            }
        }
        guard problems.isEmpty else { throw SetupError(problems.joined(separator: "\npackager: ")) }
        return parts
    }

    private func assemble(_ settings: ChannelConfiguration) throws(SetupError) -> Parts {
        let grid = SegmentGrid(slotDuration: settings.segmentDuration)
        let presentation = Presentation(
            configuration: Presentation.Configuration(
                name: settings.name,
                targetDuration: grid.targetDuration,
                segmentDuration: settings.segmentDuration,
                windowDuration: settings.window,
                maximumBytes: settings.maximumMemory,
                recordsChanges: settings.output != nil
            )
        )
        let keySchedule = try keySchedule(for: settings)
        let mirror = try mirror(for: settings)
        let channel = Channel(
            configuration: Channel.Configuration(
                name: settings.name,
                grid: grid,
                clock: settings.clock == .pts ? .pts : .arrival,
                encryption: encryption(settings.encryption, keySchedule),
                inputCount: settings.inputs.count,
                isPaced: settings.isRealtime,
                audio: settings.audio.map { ($0.language, $0.name) }
            ),
            presentation: presentation,
            clock: clock,
            mirror: mirror,
            logger: logger
        )
        let readers = settings.inputs.enumerated().map { index, feed in
            let isFinite = InputReader.isFinite(feed.location)
            let pace: InputPace = !isFinite ? .live : settings.isRealtime ? .paced : .stored
            return InputReader(
                url: feed.location,
                options: .init(isLooping: settings.isLooping, isPaced: pace == .paced),
                consumer: channel.makeInput(index, pace: pace)
            )
        }
        let service = ChannelService(
            channel: channel,
            readers: readers,
            mirror: mirror,
            endsProgram: !settings.isRealtime && !settings.isLooping && settings.output != nil
        )
        let keys = keySchedule.map {
            ChannelKeys(keySchedule: $0, presentation: presentation, grid: grid, clock: clock)
        }
        return (service, OriginChannel(name: settings.name, presentation: presentation, keys: keys))
    }

    private func encryption(
        _ method: ChannelConfiguration.Encryption,
        _ keySchedule: KeySchedule?
    ) -> ChannelEncryption {
        switch (method, keySchedule) {
        case (.aes128, let schedule?): .aes128(schedule)
        case (.sampleAES, let schedule?): .sampleAES(schedule)
        default: .none
        }
    }

    private func keySchedule(for settings: ChannelConfiguration) throws(SetupError) -> KeySchedule? {
        guard settings.encryption != .none else { return nil }
        let secret: MasterSecret
        do {
            switch settings.keySecret {
            case .file(let path):
                secret = try MasterSecret.load(path: path)
            case .createdFile(let path):
                let directory = URL(filePath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                secret = try MasterSecret.loadOrCreate(path: path)
            case .memory:
                secret = try MasterSecret.random()
            }
        } catch {
            throw SetupError("master secret of channel \(settings.name): \(error)")
        }
        return KeySchedule(secret: secret, channel: settings.name, slotsPerPeriod: settings.slotsPerPeriod)
    }

    private func mirror(for settings: ChannelConfiguration) throws(SetupError) -> DirectoryMirror? {
        guard let directory = settings.output else { return nil }
        let logger = logger
        do throws(DirectoryMirror.FileError) {
            return try DirectoryMirror(directory: directory, waits: !settings.isRealtime) { error in
                logger.error("file not written", metadata: ["error": "\(error)"])
            }
        } catch {
            throw SetupError("--output: \(error)")
        }
    }
}
