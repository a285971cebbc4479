import Channels
import ContentProtection
package import Logging
package import MediaCore
import Operations
package import Origin
import Packaging
package import Presentation
import Segmenting
import Synchronization
import Timeline

/// A channel with `cbcs` that is fed with a recording on a clock that it moves, and served from memory.
package final class MeasuredChannel: OriginChannels {
    private final class Clock: UTCClock {
        let time = Mutex(MediaTime(seconds: 1_795_000_000))
        var now: MediaTime { time.withLock { $0 } }
        var wallClock: MediaTime { now }
    }

    private let clock = Clock()
    private let presentation: Presentation
    private let served: OriginChannel
    private let channel: Channels.Channel
    private let input: ChannelInput

    package let names = ["live"]
    package subscript(name: Substring) -> OriginChannel? { served }

    /// - Parameters:
    ///   - consumers: Those that get what is published.
    ///   - slotDuration: The length of its segments.
    ///   - logger: For all that it says.
    ///   - isInline: Whether all that a packet brings about has happened when it was delivered.
    /// - Throws: If the system gives no entropy.
    package init(
        consumers: [any PublicationConsumer] = [],
        slotDuration: MediaTime = MediaTime(seconds: 4),
        logger: Logger = Logger(label: "measured") { _ in SwiftLogNoOpLogHandler() },
        isInline: Bool
    ) throws {
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: Int((1.5 * slotDuration.seconds).rounded(.up)),
                segmentDuration: slotDuration,
                windowDuration: MediaTime(seconds: 60),
                maximumBytes: 1 << 30
            ),
            consumers: consumers,
            texts: isInline ? .inline : .shared
        )
        served = OriginChannel(name: "live", presentation: presentation)
        let schedule = KeySchedule(secret: try .random(), channel: "live", slotsPerPeriod: nil)
        let inline: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        channel = Channels.Channel(
            configuration: ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: slotDuration),
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
            logger: logger,
            execute: isInline ? inline : nil
        )
        input = channel.makeInput(.input(0), pace: .live)
    }

    package var now: MediaTime { clock.now }

    package func open(_ feed: RecordedFeed) { input.inputOpened(tracks: feed.tracks, timestampModulus: feed.modulus) }

    /// Delivers a round of the recording, each packet at its time on the channel's clock, as fast as it can.
    ///
    /// - Parameters:
    ///   - packets: The recording.
    ///   - round: How often it was delivered before.
    ///   - length: Of it.
    ///   - published: Called for each slot that became visible after a packet, with how long after.
    package func deliver(
        _ packets: [RecordedFeed.Packet],
        round: Int64,
        length: MediaTime = MediaTime(seconds: 8),
        published: ((Duration) -> Void)? = nil
    ) {
        let start = MediaTime(seconds: 1_795_000_000) + length * round
        let first = packets.first?.info.decodeTimestamp ?? 0
        var ticked = clock.now
        for packet in packets {
            var info = packet.info
            info.decodeTimestamp? += length.ticks * round
            info.presentationTimestamp? += length.ticks * round
            let time = start + MediaTime(ticks: (packet.info.decodeTimestamp ?? first) - first)
            clock.time.withLock { $0 = max($0, time) }
            let (begun, before) = (ContinuousClock.now, published == nil ? nil : newest)
            input.inputReceived(info, payload: packet.bytes.span.bytes)
            if let published {
                channel.finish()
                if newest != before { published(ContinuousClock.now - begun) }
            }
            if clock.now - ticked > MediaTime(milliseconds: 200) {
                ticked = clock.now
                channel.timeAdvanced()
            }
        }
    }

    private var newest: MediaTime? { presentation.snapshot().liveEdge }

    /// The paths of a media playlist and of its newest segment.
    package var paths: (playlist: String, segment: String)? {
        guard let rendition = presentation.snapshot().renditions.first, let newest = rendition.segments.last else {
            return nil
        }
        return ("/live/\(rendition.id).m3u8", "/live/\(rendition.id)/\(newest.sequence).m4s")
    }
}
