import Archive
import Channels
import Control
import Foundation
import HTTPServing
import Ingest
import Logging
import MediaCore
import Operations
import Origin
import PackagerConfig
import Packaging
import Playlists
import Presentation
import Segmenting
import ServiceLifecycle
import Timeline
import UnixSignals

/// Puts the program together from its configuration and runs it: the only place that knows every part.
struct Assembly {
    let configuration: PackagerConfig.Configuration
    let logger: Logger
    let clock = SystemClock()
    let events: EventLog
    private let signal = EventSignal()

    init(_ configuration: PackagerConfig.Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        events = EventLog(after: Int(clock.now.milliseconds)) { [signal] _ in signal.fire() }
    }

    /// Runs until told to stop, or until every channel has ended that ends the program.
    ///
    /// - Throws: ``SetupError`` for what the operator has to mend before anything starts; ``FeedError`` where stored feeds
    ///   had nothing to give.
    func run() async throws {
        for warning in configuration.warnings { logger.warning("configuration", metadata: ["problem": "\(warning)"]) }
        let parts = try await assembleAll()
        let channels = parts.map(\.service.channel)
        let counters = OriginCounters()
        let budget = DescriptorBudget(limit: ProcessTuning.descriptorLimit, channels: channels.count)
        let listening = AsyncStream<Int>.makeStream()
        let origin = OriginServer(
            configuration: originConfiguration(budget),
            channels: parts.map(\.origin),
            counters: counters,
            now: { [clock] in clock.now },
            logger: logger,
            onLimit: connectionWatch("origin").note,
            onRunning: { port in
                listening.continuation.yield(port)
                listening.continuation.finish()
            }
        )
        let operated = AsyncStream<Int>.makeStream()
        let control = ControlServer(
            configuration: controlConfiguration(budget),
            channels: parts.map(\.operation),
            origin: { OriginStatus(origin.gate.totals, counters.totals) },
            events: events,
            signal: signal,
            now: { [clock] in clock.now },
            logger: logger,
            onLimit: connectionWatch("operator face").note,
            onRunning: { port in
                operated.continuation.yield(port)
                operated.continuation.finish()
            }
        )
        defer { for part in parts { part.journal?.finish() } }
        let progress = LineWriter.standardError.isTerminal ? ProgressLine(channels: channels, counters: counters) : nil
        let (host, controlHost) = (configuration.listen.host, configuration.control.host)
        let media = MediaService(
            channels: parts.map(\.service),
            time: TimeService(channels: channels, progress: progress)
        ) {
            for await port in operated.stream { Self.announce("control", controlHost, port) }
            for await port in listening.stream { Self.announce("listening", host, port) }
        }
        // The service group's own messages say nothing to an operator.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        do {
            try await ServiceGroup(
                configuration: .init(
                    services: [
                        .init(service: control),
                        .init(service: origin),
                        .init(
                            service: media,
                            successTerminationBehavior: .gracefullyShutdownGroup,
                            failureTerminationBehavior: .gracefullyShutdownGroup
                        ),
                    ],
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: quiet
                )
            ).run()
        } catch let error as ServerError {
            guard case .cannotListen = error else { throw error }
            throw SetupError("\(error)")
        }
    }

    /// Tells whoever started the program where it can be reached.
    private static func announce(_ what: String, _ host: String, _ port: Int) {
        let address = ListenAddress(host: host, port: port)
        LineWriter.standardOutput.write("\(what) http://\(address)/")
    }

    /// One channel, put together.
    private struct Parts {
        var service: ChannelService
        var feeds: [FeedReaders.Request]
        var origin: OriginChannel
        var operation: ChannelOperation
        var journal: Journal?
    }

    /// Puts all channels together, or says everything that keeps them from it.
    private func assembleAll() async throws(SetupError) -> [Parts] {
        var problems: [String] = []
        var parts: [Parts] = []
        for settings in configuration.channels {
            for feed in settings.inputs + settings.backups
            where feed.path.map({ !FileManager.default.isReadableFile(atPath: $0) }) ?? false {
                problems.append("input of channel \(settings.name): \(feed) is not a file that can be read")
            }
            do {
                parts.append(try await assemble(settings))
            } catch {
                problems.append("\(error)")
            }
        }
        guard problems.isEmpty else { throw SetupError(problems.joined(separator: "\npackager: ")) }
        for (index, readers) in FeedReaders.readers(for: parts.map(\.feeds)).enumerated() {
            parts[index].service.readers = readers
        }
        return parts
    }

    private func assemble(_ settings: ChannelConfiguration) async throws(SetupError) -> Parts {
        let grid = settings.grid
        let keySchedule = try keySchedule(for: settings)
        let stream = try streamIdentity(of: settings, keySchedule)
        let identity = pairIdentity(of: settings, stream: stream)
        let watch = DiskWatch(
            channel: settings.name,
            events: events,
            clock: { [clock] in clock.now },
            logger: logger
        )
        let (journal, saved) = try journal(for: settings, identity: stream, watch)
        let mirror = try mirror(for: settings, watch)
        let presentation = Presentation(
            configuration: Presentation.Configuration(
                name: settings.name,
                targetDuration: grid.targetDuration,
                segmentDuration: settings.segmentDuration,
                windowDuration: settings.window,
                maximumBytes: settings.maximumMemory,
                pinnedBandwidth: Dictionary(
                    settings.bandwidths.map {
                        (RenditionID($0.rendition), Bandwidth(peak: $0.peak, average: $0.average))
                    }
                ) { first, _ in first }
            ),
            sinks: ([journal, mirror] as [(any PublicationSink)?]).compactMap(\.self)
        )
        let endpoint = EndpointHealth(
            policy: EndpointPolicy(
                staleAfter: settings.staleAfter,
                failOn: Set(settings.failOn + (settings.lateKey == .fail ? [.noKey] : []))
            ),
            hasPeer: settings.peer != nil
        )
        let encryption = encryption(for: settings, keySchedule)
        let channel = Channel(
            configuration: ChannelEngine.Configuration(
                name: settings.name,
                grid: grid,
                clock: settings.clock,
                timecode: TimecodeClock(zone: settings.timecodeOffset),
                isSampleEncrypted: encryption.isOfSamples,
                lateKey: settings.lateKey,
                format: settings.format,
                program: settings.program,
                inputCount: settings.inputs.count,
                backupCount: settings.backups.count,
                isPaced: settings.isRealtime,
                audio: settings.audio,
                captions: settings.captions.map(MultivariantPlaylist.ClosedCaptions.init),
                failback: settings.failback,
                filler: try await filler(for: settings),
                checks: InputHealth.Checks(
                    frozen: settings.frozenAfter > .zero ? settings.frozenAfter : nil,
                    silence: settings.silentAfter > .zero ? settings.silentAfter : nil
                )
            ),
            encryption: encryption,
            presentation: presentation,
            endpoint: endpoint,
            clock: clock,
            events: events,
            logger: logger
        )
        let token = try peerToken(of: settings, keySchedule)
        let peer = settings.peer.map {
            PeerWatch(url: $0, token: token, channel: settings.name, events: events, clock: clock, logger: logger)
        }
        let follow = try await goOn(channel, from: saved, settings, identity, peer)
        let feeds = zip(channel.configuration.inputs, settings.inputs + settings.backups)
        let requests = feeds.map { id, feed in
            let pace: InputPace = !feed.isFinite ? .live : settings.isRealtime ? .paced : .stored
            return FeedReaders.Request(
                location: feed.location,
                options: .init(
                    isLooping: settings.isLooping,
                    isPaced: pace == .paced,
                    retries: pace != .stored,
                    audioTranscoding: settings.audioTranscoding,
                    // What is read as fast as it can be is not judged.
                    checks: pace == .stored
                        ? ContentChecks()
                        : ContentChecks(pictures: settings.frozenAfter > .zero, audio: settings.silentAfter > .zero)
                ),
                program: settings.program,
                consumer: channel.makeInput(id, pace: pace)
            )
        }
        let service = ChannelService(
            channel: channel,
            feeds: Dictionary(uniqueKeysWithValues: feeds.map { ($0.0, "\($0.1)") }),
            readers: [],
            mirror: mirror,
            follow: follow,
            compare: { [clock, presentation] in
                await peer?.compare(
                    channel: settings.name,
                    presentation: presentation,
                    endpoint: endpoint,
                    clock: clock
                )
            },
            endsProgram: !settings.isRealtime && !settings.isLooping && settings.output != nil
        )
        let keys = keySchedule.map {
            ChannelKeys(keySchedule: $0, presentation: presentation, grid: grid, clock: clock)
        }
        let answer = PeerAnswer { [presentation] in
            PeerDocument(configuration: identity, window: presentation.saved, isJoining: channel.isJoining)
        }
        let origin = OriginChannel(
            name: settings.name,
            presentation: presentation,
            keys: keys,
            endpoint: endpoint,
            peerAccess: token.map { PeerAccess(token: $0, refusal: refusal(of: settings)) },
            window: { try? answer.json() },
            health: { [clock, presentation] in
                try? endpoint.report(meters: presentation.meters, now: clock.now).json()
            }
        )
        let operation = ChannelOperation(channel: channel, journal: journal, mirror: mirror, peer: peer)
        return Parts(service: service, feeds: requests, origin: origin, operation: operation, journal: journal)
    }
}

extension MultivariantPlaylist.ClosedCaptions {
    fileprivate init(_ description: CaptionDescription) {
        self.init(
            groupID: ChannelEngine.Configuration.captionsGroup,
            name: description.name ?? description.channel,
            language: description.language,
            instreamID: description.channel,
            isDefault: description.isDefault
        )
    }
}
