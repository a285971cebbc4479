package import MediaCore
package import Playlists

extension Presentation {
    /// Settings that are fixed for a channel's life.
    package struct Configuration: Hashable, Sendable {
        /// The channel: the first component of its paths.
        package var name: String
        /// Seconds; the TARGETDURATION of every media playlist.
        package var targetDuration: Int
        /// The length of a slot.
        package var segmentDuration: MediaTime
        /// The duration that the media playlists list at least, once there is as much, unless one would begin with a
        /// gap.
        package var windowDuration: MediaTime
        /// The limit of bytes in memory.
        ///
        /// Above it, segments that are no longer listed are dropped early, and then segments at the head of the window,
        /// while at least three target durations of it remain.
        package var maximumBytes: Int
        /// The longest duration of a part: EXT-X-PART-INF's PART-TARGET; nil if there are none.
        package var partTarget: MediaTime?
        /// BANDWIDTH stated instead of measured, for the variant that a rendition leads, its audio included.
        package var pinnedBandwidth: [RenditionID: Bandwidth]
        /// The output protection that variants with video ask for.
        package var outputProtection: OutputProtection
        /// True if pictures of high dynamic range have one key, whatever their size.
        package var hasKeyOfHDR: Bool
        /// ALLOWED-CPC of variants with video (`MultivariantPlaylist.Variant.allowedCPC`); nil for the value of the
        /// key source.
        package var allowedCPC: String?
        /// The addresses where players get keys that the packager gives out.
        package var keyAddresses: KeyAddresses
        /// Session data of the whole channel.
        package var sessionData: [SessionDatum] = []
        /// The server that tells players which pathway to use; nil if none does.
        package var steering: MultivariantPlaylist.Steering?
        /// True if everything is listed, however long, in playlists that appear once the channel has ended and never
        /// change.
        package var isOnDemand = false
        /// False if segments leave memory as soon as the store has them; else the newest ones stay, and as many others as
        /// there is room for.
        package var keepsMediaInMemory = true
        /// The most requests that wait for playlists and parts at once; each needs some hundred bytes besides its
        /// connection.
        package var maximumWaiting = 32_768
        /// The point where players begin; nil lets players choose.
        package var start: MultivariantPlaylist.Start?

        /// The length of playlists, if memory does not shorten them.
        package var length: WindowLength { WindowLength(duration: windowDuration, targetDuration: targetDuration) }

        /// The longest run of listed slots without media, which is more than a window can have of them.
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
