import Channels
import MediaCore
import Operations
import Origin
import Presentation
import Synchronization

/// A line on the operator's terminal with the input, the live edge, losses and viewers.
final class ProgressLine: Sendable {
    private let hosted: ChannelRegistry<HostedChannel>
    private let counters: OriginCounters
    private let began = ContinuousClock.now
    private let last = Mutex<(bytes: Int, at: ContinuousClock.Instant)>((0, .now))

    init(channels: ChannelRegistry<HostedChannel>, counters: OriginCounters) {
        hosted = channels
        self.counters = counters
    }

    func update() {
        LineWriter.standardError.show(progress: text())
    }

    private func text() -> String {
        jobProgress?.text ?? liveText()
    }

    /// The progress of jobs; of several, the one that is furthest behind.
    private var jobProgress: JobProgress? {
        let services = hosted.members.map(\.service)
        guard !services.isEmpty, services.allSatisfy(\.isJob) else { return nil }
        var progress = JobProgress(elapsed: .now - began, published: 0, segments: 0, gaps: 0)
        let fractions = services.compactMap(\.fractionRead)
        progress.fraction = fractions.count == services.count ? fractions.min() : nil
        for service in services {
            let totals = service.channel.presentation.totals
            progress.published += service.channel.presentation.listedDuration.seconds
            progress.segments += totals.segments
            progress.gaps += totals.gaps
        }
        return progress
    }

    private func liveText() -> String {
        let channels = hosted.members.map(\.service.channel)
        let bytes = channels.reduce(0) { $0 + $1.inputBytes }
        let now = ContinuousClock.now
        let rate = last.withLock { last in
            defer { last = (bytes, now) }
            let elapsed = (now - last.at) / .seconds(1)
            return elapsed > 0 ? Double(bytes - last.bytes) * 8 / elapsed / 1e6 : 0
        }
        var segments = 0
        var gaps = 0
        var edge: MediaTime?
        for channel in channels {
            let totals = channel.presentation.totals
            segments += totals.segments
            gaps += totals.gaps
            // With several channels, the one that is furthest behind matters.
            if let end = channel.counters.liveEdge { edge = min(edge ?? end, end) }
        }
        let behind =
            edge.flatMap { edge in channels.first.map { "\(Self.tenths(($0.clock.now - edge).seconds)) s ago" } }
            ?? "starting"
        let viewers = counters.totals.viewers
        return
            "in \(Self.tenths(rate)) Mbit/s · edge \(behind) · \(segments) segments · \(gaps) gaps · \(viewers) viewers"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
