import MediaCore
import Playlists

/// The terms of low latency, which follow from the configuration and never change.
///
/// All playlists of a channel have the same EXT-X-SERVER-CONTROL, also those without parts (RFC 8216bis § 4.4.3.8).
struct LowLatency: Hashable, Sendable {
    /// The longest duration of a part (RFC 8216bis § 4.4.3.7).
    let partTarget: MediaTime
    /// The time before the end in which playlists list parts: three target durations (RFC 8216bis § 4.4.4.9).
    let listing: MediaTime
    /// The time before the end that delta updates list: six target durations (RFC 8216bis § 4.4.3.8).
    let skipBoundary: MediaTime
    let serverControl: MediaPlaylist.ServerControl
    /// The time that a slot told in parts waits at most for consumers that precede viewers: half a part.
    ///
    /// Players are three parts behind (PART-HOLD-BACK), and the next part that is listed comes that much later.
    let slotPatience: Duration
    /// The time that a part waits at most for consumers that precede viewers.
    ///
    /// A journal takes far less time unless its disk hangs. Published parts are final (RFC 8216bis § 6.2.1), even for a
    /// process that starts after this one was killed.
    let partPatience: Duration
    /// The number of whole slots whose parts are served.
    ///
    /// A part is served for three target durations after playlists have listed it (RFC 8216bis § 6.2.2).
    ///
    /// A slot begins and ends within one slot of its place on the grid.
    let servedSlots: Int64
    /// The most parts of a slot: twice those that the longest slot has, as some parts may be short (RFC 8216bis §
    /// 4.4.4.9).
    let maximumCount: Int

    init(partTarget: MediaTime, targetDuration: Int, segmentDuration: MediaTime) {
        let targetDuration = MediaTime(seconds: Int64(targetDuration))
        self.partTarget = partTarget
        slotPatience = Duration(MediaTime(ticks: partTarget.ticks / 2))
        partPatience = Duration(MediaTime(ticks: partTarget.ticks / 16))
        listing = targetDuration * 3
        skipBoundary = targetDuration * 6
        serverControl = MediaPlaylist.ServerControl(
            canSkipUntil: skipBoundary,
            canSkipDateRanges: true,
            holdBack: targetDuration * 3,
            partHoldBack: partTarget * 3,
            canBlockReload: true
        )
        servedSlots = (targetDuration * 6).ticks / segmentDuration.ticks + 3
        maximumCount = Int((targetDuration * 2).ticks / partTarget.ticks) + 8
    }
}

extension Presentation.Configuration {
    /// The terms of low latency; nil if it is off.
    var lowLatency: LowLatency? {
        // A playlist that appears once the channel has ended has nothing to wait for.
        guard let partTarget, partTarget > .zero, !isOnDemand else { return nil }
        return LowLatency(partTarget: partTarget, targetDuration: targetDuration, segmentDuration: segmentDuration)
    }
}

extension RenditionDescription {
    /// True if the rendition has parts when low latency is on; text has only whole segments.
    var hasParts: Bool { format == .fragmentedMP4 && (kind == .video || kind == .audio) }
}
