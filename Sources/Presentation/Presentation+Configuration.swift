package import MediaCore
package import Playlists

extension Presentation {
    /// What is fixed for a channel's life.
    package struct Configuration: Hashable, Sendable {
        /// The channel: the first component of its paths.
        package var name: String
        /// Seconds; the TARGETDURATION of every media playlist.
        package var targetDuration: Int
        /// The length of a slot.
        package var segmentDuration: MediaTime
        /// What the media playlists list at least once there is as much, unless one would begin with a gap.
        package var windowDuration: MediaTime
        /// Above this many bytes in memory, segments that are no longer listed go before their time, and then those at the head of
        /// the window, as far as three target durations of it remain.
        package var maximumBytes: Int
        /// The longest duration of a part: EXT-X-PART-INF's PART-TARGET; nil where there are none.
        package var partTarget: MediaTime?
        /// Stated instead of measured, for the variant that a rendition leads: its audio is included.
        package var pinnedBandwidth: [RenditionID: Bandwidth]
        /// What variants with video ask of screens.
        package var outputProtection: OutputProtection
        /// Whether pictures of high dynamic range have one key, whatever their size.
        package var hasKeyOfHDR: Bool
        /// As ``MultivariantPlaylist/Variant/allowedCPC``, of variants with video; nil for what the key source says.
        package var allowedCPC: String?
        /// Where players get keys that are the packager's to give.
        package var keyAddresses: KeyAddresses
        /// What is said of the whole channel.
        package var sessionData: [SessionDatum] = []
        /// Whether all of it is listed, however long, and there are playlists once it has ended, which never change.
        package var isOnDemand = false
        /// Where players begin; nil for where they like.
        package var start: MultivariantPlaylist.Start?

        /// The length of playlists, where memory does not shorten them.
        package var length: WindowLength { WindowLength(duration: windowDuration, targetDuration: targetDuration) }

        /// How many slots without media are listed in a row at most, which is more than what a window can have of them.
        package var longestRun: Int {
            let duration = max(
                windowDuration,
                MediaTime(seconds: Int64(targetDuration) * WindowLength.minimumTargetDurations)
            )
            return Int(duration.ticks / segmentDuration.ticks) + 1 + Window.minimumCount
        }

        package init(
            name: String,
            targetDuration: Int,
            segmentDuration: MediaTime,
            windowDuration: MediaTime,
            maximumBytes: Int,
            partTarget: MediaTime? = nil,
            pinnedBandwidth: [RenditionID: Bandwidth] = [:],
            outputProtection: OutputProtection = .none,
            hasKeyOfHDR: Bool = false,
            allowedCPC: String? = nil,
            keyAddresses: KeyAddresses = KeyAddresses()
        ) {
            self.name = name
            self.targetDuration = targetDuration
            self.segmentDuration = segmentDuration
            self.windowDuration = windowDuration
            self.maximumBytes = maximumBytes
            self.partTarget = partTarget
            self.pinnedBandwidth = pinnedBandwidth
            self.outputProtection = outputProtection
            self.hasKeyOfHDR = hasKeyOfHDR
            self.allowedCPC = allowedCPC
            self.keyAddresses = keyAddresses
        }
    }
}
