import Archive
import Channels
import ContentProtection
import Foundation
import Logging
import MediaCore
import NIOCore
import Operations
import Packaging
import Playlists
import Presentation
import Segmenting
import TimedText
import Timeline

/// A channel with all that it publishes to: the only place of the corpus that knows how they are put together.
///
/// Each call returns once everything that follows from it has happened.
final class RecordedChannel {
    private let settings: Settings
    private let clock: ManualClock
    private let presentation: Presentation
    private let channel: Channels.Channel
    private let endpoint: EndpointHealth
    private let events = EventLog()
    private let journal: Journal?
    private var inputs: [InputName: ChannelInput] = [:]
    /// The window that the earlier run has left.
    private let left: RestoredWindow?
    /// The newest slot that the peer was heard to list.
    private var newestOfPeer: MediaSequenceNumber?

    /// - Parameters:
    ///   - settings: What it is to do.
    ///   - clock: UTC.
    ///   - directory: Where journal and output are kept.
    ///   - run: How often it has been started anew.
    /// - Throws: If the directory cannot be used.
    init(_ settings: Settings, clock: ManualClock, directory: URL, run: Int) async throws {
        self.settings = settings
        self.clock = clock
        let grid = SegmentGrid(slotDuration: MediaTime(milliseconds: settings.segmentDuration))
        // The run before has been killed, but is still there, and holds the lock of its journal: this one gets a copy.
        let (before, state) = (directory.appending(path: "state-\(run - 1)"), directory.appending(path: "state-\(run)"))
        if FileManager.default.fileExists(atPath: before.path) {
            try FileManager.default.copyItem(at: before, to: state)
        }
        (journal, left) =
            settings.hasJournal
            ? try Journal.open(
                directory: state.path,
                channel: "live",
                configuration: [:],
                segmentDuration: grid.slotDuration,
                // Slots come as fast as they can be made: a thread that stands still for a second is no disk that is late.
                patience: .seconds(600),
                onEvent: { _ in }
            ) : (nil, nil)
        let mirror =
            settings.hasOutput
            ? try DirectoryMirror(directory: directory.appending(path: "output").path, waits: true) { _ in } : nil
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: grid.targetDuration,
                segmentDuration: grid.slotDuration,
                windowDuration: MediaTime(milliseconds: settings.window),
                maximumBytes: settings.maximumBytes,
                pinnedBandwidth: Dictionary(
                    uniqueKeysWithValues: settings.bandwidths.map {
                        (RenditionID($0.key), Bandwidth(peak: $0.value, average: $0.value / 2))
                    }
                )
            ),
            consumers: ([journal, mirror] as [(any PublicationConsumer)?]).compactMap(\.self)
        )
        endpoint = EndpointHealth(
            policy: EndpointPolicy(
                staleAfter: MediaTime(milliseconds: settings.staleAfter),
                failOn: Set(settings.failOn)
            )
        )
        let content = settings.patienceWithContent.map { MediaTime(milliseconds: $0) }
        var configuration = ChannelEngine.Configuration(
            name: "live",
            grid: grid,
            clock: settings.clock,
            isSampleEncrypted: try settings.channelEncryption.isOfSamples,
            format: settings.format,
            inputCount: settings.inputs,
            backupCount: settings.backups,
            isPaced: !settings.isStored,
            audio: settings.audio,
            captions: settings.captions.map {
                MultivariantPlaylist.ClosedCaptions(
                    groupID: ChannelEngine.Configuration.captionsGroup,
                    name: $0,
                    instreamID: $0
                )
            },
            failback: MediaTime(milliseconds: settings.failback),
            filler: try await settings.filler,
            checks: InputHealth.Checks(frozen: content, silence: content)
        )
        (configuration.cueOutTags, configuration.hasSpliceMessages) = (settings.cueOutTags, settings.hasSpliceMessages)
        configuration.interstitials = settings.interstitials
        configuration.clearLead = settings.clearLead
        configuration.hintedKey = settings.hintsKeys ? .identity : nil
        (configuration.subtitles, configuration.subtitleFormats) = (settings.subtitles, settings.subtitleFormats)
        let (encryption, keys) = (try settings.channelEncryption, KeyStore())
        let first = grid.slot(at: MediaTime(seconds: settings.epoch))
        let failures = Dictionary(uniqueKeysWithValues: settings.failures.map { (RenditionID($0.key), $0.value) })
        channel = Channels.Channel(
            configuration: configuration,
            encryption: encryption,
            keys: keys,
            presentation: presentation,
            endpoint: endpoint,
            clock: clock,
            events: events,
            logger: Logger(label: "corpus") { _ in SwiftLogNoOpLogHandler() },
            makeWriter: { form, id in
                FailingWriter(
                    writer: RenditionPackager(form, id: id, encryption: encryption, keys: keys),
                    failures: failures[id].map { first.advanced(by: $0.lowerBound)...first.advanced(by: $0.upperBound) }
                )
            },
            execute: { $0() }
        )
        for input in settings.inputNames {
            inputs[input] = channel.makeInput(settings.id(of: input), pace: settings.isStored ? .stored : .live)
        }
    }

    // MARK: What happens to it

    func deliver(_ event: FeedEvent, to input: InputName) async {
        guard let input = inputs[input] else { return }
        switch event {
        case .opened(let tracks, let modulus): input.inputOpened(tracks: tracks, timestampModulus: modulus)
        case .received(let info, let bytes): input.inputReceived(info, payload: bytes.span.bytes)
        case .tag(let info, let bytes): input.inputReceivedMetadata(info, program: nil, payload: bytes.span.bytes)
        case .splice(let section): input.inputReceivedSplice(section.span.bytes, program: nil, shift: 0)
        case .noticed(let notice): input.inputNoticed(notice)
        case .examined(let finding): input.inputExamined(finding)
        case .lost(let reason): input.inputLost(reason: reason)
        case .ended: input.inputEnded()
        }
    }

    func timeAdvanced() async {
        channel.timeAdvanced()
    }

    func select(_ input: InputName, holds: Bool) async {
        channel.select(settings.id(of: input), holds: holds)
    }

    /// Text comes for declared subtitles.
    func show(_ cues: [TimedCue], in subtitles: Int) async {
        channel.show(cues, in: subtitles)
    }

    func selectAutomatically() async {
        channel.selectAutomatically()
    }

    /// The process is told to end.
    func stop() async {
        channel.stop()
        presentation.finish()
        journal?.finish()
    }

    /// The process is killed; what it has handed to the journal is on the disk.
    func kill() async {
        presentation.finish()
        journal?.finish()
    }

    // MARK: Going on

    /// Continues from what the journal has of the run before.
    func resume() async {
        if let left { channel.restore(left) }
    }

    /// Waits for slots that a peer has as well, or takes over what the peer lists where there can be none.
    func join(_ peer: RecordedChannel) async throws {
        let window = try peer.told(continuing: left)
        newestOfPeer = window.window.lastNumber
        if channel.canJoin(window.window, at: clock.now) {
            channel.beginJoining(window)
        } else {
            channel.restore(window)
        }
    }

    /// The peer is asked again, as long as it is waited for.
    func follow(_ peer: RecordedChannel) async throws {
        guard let known = channel.windowOfPeer, let newest = peer.presentation.saved.lastNumber,
            newest > newestOfPeer ?? newest.previous
        else { return }
        newestOfPeer = newest
        channel.peerPublished(try peer.told(continuing: known))
    }

    /// The peer's measurements are asked for.
    func compare(with peer: RecordedChannel) async {
        presentation.raiseMeters(to: peer.presentation.meters)
    }

    /// The window as a peer gets it, which keeps what it knows.
    private func told(continuing known: RestoredWindow?) throws -> RestoredWindow {
        let json = try PeerDocument(configuration: [:], window: presentation.saved).json()
        let document = try PeerDocument(json: json)
        var bodies = known?.bodies ?? [:]
        for file in document.window.files where bodies[file.path] == nil {
            if case .bytes(let bytes) = published(file.path) { bodies[file.path] = bytes }
        }
        let window = known?.window.continued(by: document.window) ?? document.window
        return RestoredWindow(window: window, bodies: bodies)
    }

    // MARK: What is seen of it

    /// Returns what a path below the channel's names.
    func published(_ path: String) -> Published {
        switch presentation.resource(path, now: clock.now) {
        case .found(let resource): .bytes(resource.body.memory ?? ByteBuffer())
        case .notFound(let reason): .missing("\(reason)")
        case .starting(let seconds): .starting(seconds)
        }
    }

    /// The recorded events.
    var recordedEvents: [RecordedEvent] {
        events.entries().map { entry in
            let event = entry.event
            let subjects = [event.kind.rawValue, event.input] + event.renditions.map(\.name)
            return RecordedEvent(
                time: event.time,
                text: (subjects + [event.slot.map { "\($0)" }]).compactMap(\.self).joined(separator: " ")
                    + ": \(event.message)"
            )
        }
    }

    /// The status for an operator.
    var status: [String] {
        let status = channel.status(at: clock.now)
        let inputs = status.inputs.map { input in
            "\(input.id): \(input.isOnAir ? "on air" : "not on air"), health \(input.health.score)"
        }
        let renditions = status.renditions.map { "\($0.id): filled by \($0.source)" }
        return inputs + renditions + status.held.map { "held to \($0)" } + ["score \(status.score)"]
            + status.reasons + ["playlists are \(endpoint.failures(now: clock.now).isEmpty ? "served" : "refused")"]
    }
}

/// Writes segments, but not those of certain slots.
private struct FailingWriter: SegmentWriter {
    var writer: RenditionPackager
    var failures: ClosedRange<MediaSequenceNumber>?

    struct Failure: Error, CustomStringConvertible {
        var description: String { "the writer fails" }
    }

    mutating func write(_ contents: SegmentContents) throws -> PublishedSegment {
        if failures?.contains(contents.cut.number) ?? false { throw Failure() }
        return try writer.write(contents)
    }

    mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
        if failures?.contains(part.cut.number) ?? false { throw Failure() }
        return try writer.write(part)
    }
}

// MARK: - From the corpus's words to the channel's

extension Settings {
    var inputNames: [InputName] { (0..<inputs).map(InputName.input) + (0..<backups).map(InputName.backup) }

    fileprivate func id(of name: InputName) -> InputID {
        switch name {
        case .input(let index): .input(index)
        case .backup(let index): .backup(index, inputCount: inputs)
        }
    }

    fileprivate var channelEncryption: ChannelEncryption {
        get throws {
            guard let secret = MasterSecret(Array(1...32)) else { return .none }
            let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: rotation)
            return switch encryption {
            case .none: .none
            case .aes128: .aes128(schedule)
            case .aes128WithInit: .aes128(schedule, includesInitialization: true)
            case .sampleAES: .sampleAES(schedule)
            case .sampleAESCounterMode: .sampleAESCounterMode(schedule)
            }
        }
    }

    fileprivate var filler: LossFiller {
        get async throws {
            switch onLoss {
            case .gap: return .gap
            case .hold: return .hold
            case .slate:
                let isOfSamples = [.sampleAES, .sampleAESCounterMode].contains(encryption)
                let recorder = SlateRecorder(wantsSubsamples: isOfSamples && format == .fmp4)
                let feed = await FeedName.slate.read()
                recorder.inputOpened(tracks: feed.tracks, timestampModulus: feed.timestampModulus)
                for packet in feed.packets { recorder.inputReceived(packet.info, payload: packet.bytes.span.bytes) }
                return .slate(try recorder.finish().get())
            }
        }
    }
}
