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
    package var audioTranscode: AudioTranscode
    package var format: SegmentFormat
    /// Length of a slot, in whole milliseconds.
    package var segmentDuration: MediaTime
    /// Length of the live playlist.
    package var window: MediaTime
    /// Bytes of published media that are held in memory at most.
    package var maximumMemory: Int
    /// Of renditions whose bandwidth is known better than by measuring.
    package var bandwidths: [DeclaredBandwidth] = []
    package var encryption: Encryption
    /// Whether ``Encryption/aes128`` encrypts the initialization sections of fragmented MP4 as well.
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

    /// What fills a slot that no input has media for.
    package enum OnLoss: String, CaseIterable, Hashable, Sendable {
        /// Nothing: the slot is marked as a gap.
        case gap
        /// A prepared file.
        case slate
        /// The newest key frame, and silence.
        case hold
    }

    package enum FailureCondition: String, CaseIterable, Hashable, Sendable {
        /// The live edge is too old.
        case stale
        /// A rendition has a gap at the live edge.
        case incomplete
        /// The slate is on air.
        case slate
        /// There are no keys.
        case noKey = "no-key"
    }

    package enum SegmentFormat: String, CaseIterable, Hashable, Sendable {
        /// Fragmented MP4 (CMAF).
        case fmp4
        /// MPEG transport streams, and packed audio beside them.
        case ts
    }

    package enum AudioTranscode: String, CaseIterable, Hashable, Sendable {
        case none
        /// MP2, and AC-3 that has nothing beside it that all players play.
        case automatic
        /// Everything but AAC.
        case all
    }

    package enum Encryption: String, CaseIterable, Hashable, Sendable {
        case none
        /// METHOD=AES-128: whole segments.
        case aes128 = "aes-128"
        /// METHOD=SAMPLE-AES: scheme `cbcs` in fragmented MP4, Apple's own in transport streams.
        case sampleAES = "sample-aes"
        /// METHOD=SAMPLE-AES-CTR: scheme `cenc` in fragmented MP4, for players that have no `cbcs`.
        case sampleAESCounterMode = "sample-aes-ctr"
    }

    /// Where the UTC of a sample comes from.
    package enum ClockSource: String, CaseIterable, Hashable, Sendable {
        /// From when the feed began to arrive.
        case arrival
        /// From presentation timestamps that are UTC in 90 kHz modulo 2^33.
        case pts
        /// From SMPTE timecode in the video, or producer reference times.
        case timecode
    }

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
