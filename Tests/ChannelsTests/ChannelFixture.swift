import ContentProtection
import Foundation
import Logging
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// A channel on a manual clock, fed with a few real bytes of H.264 and AAC.
final class ChannelFixture: Sendable {
    /// A clock in UTC that tests move by hand.
    final class Clock: UTCClock {
        private let time: Mutex<MediaTime>
        /// The amount by which the machine's own clock was set.
        private let step = Mutex(MediaTime.zero)
        private let readCount = Atomic(0)

        init(_ time: MediaTime) {
            self.time = Mutex(time)
        }

        var now: MediaTime {
            readCount.add(1, ordering: .relaxed)
            return time.withLock { $0 }
        }

        var wallClock: MediaTime { now + step.withLock { $0 } }
        /// The number of times that it was read.
        var reads: Int { readCount.load(ordering: .relaxed) }
        func set(_ now: MediaTime) { time.withLock { $0 = now } }
        func step(by step: MediaTime) { self.step.withLock { $0 += step } }
    }

    let clock = Clock(Epoch.time)
    let presentation: Presentation
    let channel: Channels.Channel

    init(
        source: ClockSource = .arrival,
        isPaced: Bool = true,
        inputCount: Int = 1,
        backupCount: Int = 0,
        endpoint: EndpointHealth = EndpointHealth(),
        encryption: ChannelEncryption = .none,
        lateKey: LateKey = .hold,
        clearLead: Int64 = 0,
        hintedKey: KeySystem? = nil,
        format: StreamFormat = .fmp4,
        consumers: [any PublicationConsumer] = [],
        audio: [AudioAttributes] = [],
        subtitles: [SubtitleAttributes] = [],
        subtitleFormats: [TextFormat] = [.webVTT],
        failback: MediaTime = MediaTime(seconds: 8),
        filler: LossFiller = .gap,
        horizon: CommitHorizon = .slot,
        inputTimeout: MediaTime? = MediaTime(seconds: 2),
        window: Int64 = 24,
        maximumMemory: Int = 100_000_000,
        outputProtection: OutputProtection = .none,
        scheduleLead: MediaTime = .zero,
        monitor: OnAirMonitor = OnAirMonitor(),
        makeWriter: RenditionWriter.Factory? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        isInline: Bool = true
    ) {
        let bandwidth = Bandwidth(peak: 800_000, average: 700_000)
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: window),
                maximumBytes: maximumMemory,
                partTarget: horizon.partDuration,
                pinnedBandwidth: ["video-180p": bandwidth, "audio": bandwidth],
                outputProtection: outputProtection
            ),
            consumers: consumers
        )
        var configuration = ChannelEngine.Configuration(
            name: "live",
            grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
            clock: source,
            isSampleEncrypted: encryption.isOfSamples,
            clearLead: clearLead,
            lateKey: lateKey,
            hintedKey: hintedKey,
            format: format,
            inputCount: inputCount,
            backupCount: backupCount,
            isPaced: isPaced,
            audio: audio,
            failback: failback,
            filler: filler,
            horizon: horizon
        )
        configuration.inputTimeout = inputTimeout
        configuration.subtitles = subtitles
        configuration.subtitleFormats = subtitleFormats
        configuration.scheduleLead = scheduleLead
        channel = Channels.Channel(
            configuration: configuration,
            encryption: encryption,
            presentation: presentation,
            endpoint: endpoint,
            clock: clock,
            logger: logger,
            monitor: monitor,
            makeWriter: makeWriter,
            execute: isInline ? Self.atOnce : nil
        )
    }

    /// So that a test sees what follows from what it has just sent.
    private static let atOnce: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in work() }

    /// The text of a playlist, or nil if it is not found.
    func text(_ path: String) -> String? { bytes(path).map { String(buffer: $0) } }

    /// The bytes that a path names, or nil if it is not found.
    func bytes(_ path: String) -> ByteBuffer? {
        guard case .found(let resource) = presentation.resource(path, now: clock.now) else { return nil }
        return resource.body.memory
    }

    /// Slot by slot of a rendition's window: its number from the epoch's on, and whether it is a gap.
    func window(_ id: RenditionID) -> [String] {
        let segments = presentation.snapshot().renditions.first { $0.id == id }?.segments ?? []
        return segments.map { segment in
            let number = segment.sequence.value - Epoch.slot.value
            return "\(number)\(segment.isGap ? " gap" : "")\(segment.startsDiscontinuity ? " discontinuity" : "")"
        }
    }

    /// The recorded events: kind and subject.
    var record: [String] {
        channel.events.entries().map { entry in
            let event = entry.event
            let subjects = [event.kind.rawValue, event.input] + event.renditions.map(\.name)
            return subjects.compactMap(\.self).joined(separator: " ")
        }
    }

    /// The window with its bytes, as another process finds it.
    var left: RestoredWindow {
        let saved = presentation.saved
        let bodies = saved.files.compactMap { file in bytes(file.path).map { (file.path, $0) } }
        return RestoredWindow(window: saved, bodies: Dictionary(uniqueKeysWithValues: bodies))
    }

    /// Continues from what another one has left, at so many milliseconds.
    func goOn(from old: ChannelFixture, at now: Int64) {
        let window = old.left
        clock.set(Epoch.at(now))
        channel.restore(window)
    }

    /// Lets time go by without packets.
    func wait(until milliseconds: Int64) {
        let end = Epoch.at(milliseconds)
        while clock.now < end {
            clock.set(min(end, clock.now + MediaTime(milliseconds: 200)))
            channel.timeAdvanced()
        }
    }
}

/// The packets of one input: 25 pictures a second with an IDR picture every second, and AAC of 48 kHz.
struct ChannelFeed {
    static let modulus = Int64(1) << 33

    /// The container's track indexes; nil for a track that it has not.
    var video: Int? = 0
    var audio: Int? = 1
    /// From one IDR picture to the next.
    var keyFrameInterval: Int64 = 1_000
    /// Timestamps of media time zero.
    var base: Int64 = 900_000

    var tracks: [InputTrack] {
        let video = video.map(InputTrackIndex.init).map {
            InputTrack(index: $0, kind: .video, codec: .h264, frameRate: Ratio(25, 1))
        }
        let audio = audio.map(InputTrackIndex.init).map {
            InputTrack(index: $0, kind: .audio, codec: .aac, header: [0x11, 0x90])
        }
        return [video, audio].compactMap(\.self).sorted { $0.index < $1.index }
    }

    func open(_ input: ChannelInput) {
        input.inputOpened(tracks: tracks, timestampModulus: Self.modulus)
    }

    /// Packets of a range of media time in milliseconds, audio before the picture that it is heard with.
    func send(
        _ range: Range<Int64>,
        to inputs: [ChannelInput],
        damaged: Set<Int64> = [],
        before: (Int64) -> Void = { _ in }
    ) {
        var frame = (range.lowerBound * 48 + 1_023) / 1_024
        for time in stride(from: range.lowerBound, to: range.upperBound, by: 40) {
            before(time)
            while let audio, frame * 1_024 <= time * 48 {
                let ticks = MediaTime.rescale(frame * 1_024, from: 48_000, to: 90_000)
                deliver(Self.audioFrame(frame), track: audio, ticks: ticks, isCorrupt: false, to: inputs)
                frame += 1
            }
            guard let video else { continue }
            let picture = time % keyFrameInterval == 0 ? Self.idrPicture : Self.picture
            deliver(picture, track: video, ticks: time * 90, isCorrupt: damaged.contains(time), to: inputs)
        }
    }

    /// Sends a range live: each packet on time, the clock moved with it.
    func sendLive(_ range: Range<Int64>, at start: Int64, to inputs: [ChannelInput], of fixture: ChannelFixture) {
        var ticks = 0
        send(range, to: inputs) { time in
            fixture.clock.set(Epoch.at(start + time - range.lowerBound))
            ticks += 1
            if ticks % 5 == 0 { fixture.channel.timeAdvanced() }
        }
    }

    func send(
        _ range: Range<Int64>,
        to input: ChannelInput,
        damaged: Set<Int64> = [],
        before: (Int64) -> Void = { _ in }
    ) {
        send(range, to: [input], damaged: damaged, before: before)
    }

    func sendLive(_ range: Range<Int64>, at start: Int64, to input: ChannelInput, of fixture: ChannelFixture) {
        sendLive(range, at: start, to: [input], of: fixture)
    }

    func deliver(_ bytes: [UInt8], track: Int, ticks: Int64, isCorrupt: Bool, to inputs: [ChannelInput]) {
        let timestamp = (ticks + base) % Self.modulus
        let info = PacketInfo(
            trackIndex: InputTrackIndex(track),
            presentationTimestamp: timestamp,
            decodeTimestamp: timestamp,
            isCorrupt: isCorrupt
        )
        for input in inputs { input.inputReceived(info, payload: bytes.span.bytes) }
    }

    static func audioFrame(_ index: Int64) -> [UInt8] { [0x21, UInt8(truncatingIfNeeded: index), 3, 4] }

    /// Parameter sets and slices as x264 wrote them, cut short behind the slice header: 320x180, Constrained Baseline profile.
    static let parameterSets: [[UInt8]] = [
        bytes("6742c00cd901419f9f011000000300100000030320f142a480"), bytes("68cb83cb20"),
    ]
    static let idrSlice = bytes("6588845f1088ab830217")
    static let slice = bytes("419b2025cbe1cc0123269b")
    static let idrPicture: [UInt8] = (parameterSets + [idrSlice]).flatMap { nalUnit -> [UInt8] in
        [0, 0, 0, 1] + nalUnit
    }
    static let picture: [UInt8] = [0, 0, 0, 1] + slice

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
