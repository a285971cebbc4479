import Channels
import ContentProtection
import Logging
import MediaCore
import Operations
import Origin
import Packaging
import Presentation
import Segmenting
import Synchronization
import Timeline

/// A channel with `cbcs` that is fed with a recording on a clock that it moves, and served from memory.
final class MeasuredChannel: OriginChannels {
    private final class Clock: UTCClock {
        let time = Mutex(MediaTime(seconds: 1_795_000_000))
        var now: MediaTime { time.withLock { $0 } }
        var wallClock: MediaTime { now }
    }

    private let clock = Clock()
    private let presentation: Presentation
    private let channel: Channels.Channel
    private let input: ChannelInput

    let names = ["live"]
    subscript(name: Substring) -> OriginChannel? { OriginChannel(name: "live", presentation: presentation) }

    /// - Throws: Where the system gives no entropy.
    init() throws {
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: 60),
                maximumBytes: 1 << 30
            )
        )
        let schedule = KeySchedule(secret: try .random(), channel: "live", slotsPerPeriod: nil)
        channel = Channels.Channel(
            configuration: ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                clock: .arrival,
                isSampleEncrypted: true,
                inputCount: 1,
                isPaced: true
            ),
            encryption: .sampleAES(schedule),
            presentation: presentation,
            endpoint: EndpointHealth(),
            clock: clock,
            events: EventLog(),
            logger: Logger(label: "measured") { _ in SwiftLogNoOpLogHandler() },
            execute: { $0() }
        )
        input = channel.makeInput(.input(0), pace: .live)
    }

    var now: MediaTime { clock.now }

    func open(_ feed: RecordedFeed) { input.inputOpened(tracks: feed.tracks, timestampModulus: feed.modulus) }

    /// Delivers a round of the recording, each packet at its time.
    ///
    /// - Parameters:
    ///   - packets: The recording.
    ///   - round: How often it was delivered before.
    ///   - length: Of it.
    func deliver(_ packets: [RecordedFeed.Packet], round: Int64, length: MediaTime) {
        let start = MediaTime(seconds: 1_795_000_000) + length * round
        let first = packets.first?.info.decodeTimestamp ?? 0
        var ticked = clock.now
        for packet in packets {
            var info = packet.info
            info.decodeTimestamp? += length.ticks * round
            info.presentationTimestamp? += length.ticks * round
            let time = start + MediaTime(ticks: (packet.info.decodeTimestamp ?? first) - first)
            clock.time.withLock { $0 = max($0, time) }
            input.inputReceived(info, payload: packet.bytes.span.bytes)
            if clock.now - ticked > MediaTime(milliseconds: 200) {
                ticked = clock.now
                channel.timeAdvanced()
            }
        }
    }

    /// The paths of a media playlist and of its newest segment.
    var paths: (playlist: String, segment: String)? {
        guard let rendition = presentation.snapshot().renditions.first, let newest = rendition.segments.last else {
            return nil
        }
        return ("/live/\(rendition.id).m3u8", "/live/\(rendition.id)/\(newest.sequence).m4s")
    }
}
