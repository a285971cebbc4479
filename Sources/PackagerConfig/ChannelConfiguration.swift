package import MediaCore

/// One channel: its feeds, and what is made of them.
package struct ChannelConfiguration: Hashable, Sendable {
    /// First component of the path of its URLs.
    package var name: String
    /// At least one; their tracks together make the channel.
    package var inputs: [Feed]
    /// The i-th stands by for the i-th input; where there are more, they start over with the first.
    package var backups: [Feed]
    /// Number of the program that is read where feeds have several; nil for the first that has any media.
    package var program: Int?
    /// What is said of the audio tracks, in the order of the tracks; where it ends, the feed's own holds.
    package var audio: [AudioAttributes]
    /// Captions in the video that are declared, whether any were seen or not.
    package var captions: [CaptionDescription]
    /// Which audio gets a rendition in AAC that is made here.
    package var audioTranscoding: AudioTranscoding
    package var format: StreamFormat
    /// Length of a slot, in whole milliseconds.
    package var segmentDuration: MediaTime
    /// Length of the live playlist.
    package var window: MediaTime
    /// Bytes of published media that are held in memory at most.
    package var maximumMemory: Int
    /// Of renditions whose bandwidth is known better than by measuring.
    package var bandwidths: [DeclaredBandwidth] = []
    package var encryption: EncryptionMethod
    /// Whether ``EncryptionMethod/aes128`` encrypts the initialization sections of fragmented MP4 as well.
    package var encryptsInitialization: Bool
    /// Length of a crypto period as it was asked for, before ``slotsPerPeriod``; zero for keys that never change.
    package var keyRotation: MediaTime
    package var keySecret: KeySecret
    package var clock: ClockSource
    /// What labels of ``ClockSource/timecode`` are ahead of UTC.
    package var timecodeOffset: MediaTime
    /// How long a better input must have been whole to take back from a backup.
    package var failback: MediaTime
    package var onLoss: OnLoss
    /// The prepared file for ``OnLoss/slate``.
    package var slate: String
    /// How long the same picture may last before the input is taken for frozen; zero for ever.
    package var frozenAfter: MediaTime
    /// How long there may be silence; zero for ever.
    package var silentAfter: MediaTime
    /// How old the live edge may be before the stream counts as stale; zero for ever.
    package var staleAfter: MediaTime
    /// For which conditions playlists are refused, so that a CDN looks elsewhere.
    package var failOn: Set<FailureCondition>
    /// Whether files start over when they end.
    package var isLooping: Bool
    /// Whether files are read no faster than they play.
    package var isRealtime: Bool
    /// Directory that playlists and segments are also written to.
    package var output: String?
    /// Directory that outlives the process.
    package var state: String?
    /// Origin of the packager's twin, which is asked for the live window at start.
    package var peer: String?

    /// Where the master secret of derived keys comes from.
    package enum KeySecret: Hashable, Sendable {
        /// A file that must be there, since others may have it too.
        case file(String)
        /// A file that is made when it is missing.
        case createdFile(String)
        /// A random secret that ends with the process.
        case memory
    }

    package struct CaptionDescription: Hashable, Sendable {
        /// `CC1` to `CC4`, or `SERVICE1` to `SERVICE63`.
        package var channel: String
        /// Language tag (BCP 47).
        package var language: String?
        /// What a player's menu shows.
        package var name: String?
        package var isDefault: Bool

        package init(channel: String, language: String? = nil, name: String? = nil, isDefault: Bool = false) {
            self.channel = channel
            self.language = language
            self.name = name
            self.isDefault = isDefault
        }
    }
}
