import Channels
import Dispatch
import Foundation
import Ingest
import Logging
import MediaCore
import NIOCore
import Playlists
import Presentation
import Segmenting
import Timeline

/// A channel that reads one stored feed as fast as it can, from memory.
struct FeedHarness {
    func run(_ bytes: [UInt8]) {
        for isTransportStream in [false, true] { run(bytes, isTransportStream) }
    }

    private func run(_ bytes: [UInt8], _ isTransportStream: Bool) {
        let grid = SegmentGrid(slotDuration: MediaTime(seconds: 1))
        let presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: grid.targetDuration,
                segmentDuration: grid.slotDuration,
                windowDuration: MediaTime(seconds: 12),
                maximumBytes: 1 << 28
            )
        )
        var configuration = ChannelEngine.Configuration(
            name: "live",
            grid: grid,
            clock: .arrival,
            format: isTransportStream ? .ts : .fmp4,
            inputCount: 1,
            isPaced: false
        )
        configuration.feedSubtitles = FeedSubtitles([.captions(.line21(1)), .captions(.service(1))])
        let channel = Channel(
            configuration: configuration,
            presentation: presentation,
            clock: StoppedClock(),
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        )
        let reader = InputReader(
            // libavformat reads it without a file.
            url: "data:application/octet-stream;base64," + Data(bytes).base64EncodedString(),
            options: .init(
                retries: false,
                subtitles: FeedSubtitles([.text, .teletext, .page(888)]),
                splicePIDs: [.automatic]
            ),
            consumer: channel.makeInput(.input(0), pace: .stored)
        )
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            reader.start()
            await reader.finished()
            done.signal()
        }
        done.wait()
        channel.finish()
        check(presentation)
    }

    /// The rules that no feed can break.
    private func check(_ presentation: Presentation) {
        for rendition in presentation.snapshot().renditions {
            let path = "\(rendition.id).m3u8"
            guard case .found(let resource) = presentation.resource(path, now: .zero) else { continue }
            guard let playlist = try? MediaPlaylist(parsing: String(buffer: resource.body.read())) else {
                fatalError("\(path) cannot be read")
            }
            for segment in playlist.segments {
                let seconds = Double(segment.duration.value) / Double(segment.duration.timescale)
                // RFC 8216bis § 4.4.3.1
                if Int(seconds.rounded()) > playlist.targetDuration { fatalError("\(path): a segment of \(seconds) s") }
                guard !segment.isGap else { continue }
                guard case .found = presentation.resource(segment.uri, now: .zero) else {
                    fatalError("\(path): no \(segment.uri)")
                }
            }
        }
    }
}

/// A moment that stays.
private struct StoppedClock: UTCClock {
    var now: MediaTime { MediaTime(seconds: 1_795_000_000) }
    var wallClock: MediaTime { now }
}
