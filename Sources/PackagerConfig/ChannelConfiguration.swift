package import MediaCore

/// One channel: its feeds, and what is made of them.
package struct ChannelConfiguration: Hashable, Sendable {
    /// First component of the path of its URLs.
    package var name: String
    /// At least one; their tracks together make the channel.
    package var inputs: [Feed]
    /// Languages and names of the audio tracks, in the order of the tracks; where it ends, the feed's own hold.
    package var audio: [AudioDescription]
    package var format: SegmentFormat
    /// Length of a slot, in whole milliseconds.
    package var segmentDuration: MediaTime
    /// Length of the live playlist.
    package var window: MediaTime
    /// Bytes of published media that are held in memory at most.
    package var maximumMemory: Int
    package var encryption: Encryption
    /// Length of a crypto period as it was asked for, before ``slotsPerPeriod``; zero for keys that never change.
    package var keyRotation: MediaTime
    package var keySecret: KeySecret
    package var clock: ClockSource
    /// Whether files start over when they end.
    package var isLooping: Bool
    /// Whether files are read no faster than they play.
    package var isRealtime: Bool
    /// Directory that playlists and segments are also written to.
    package var output: String?
    /// Directory that outlives the process.
    package var state: String?

    package enum SegmentFormat: String, CaseIterable, Hashable, Sendable {
        /// Fragmented MP4 (CMAF).
        case fmp4
    }

    package enum Encryption: String, CaseIterable, Hashable, Sendable {
        case none
        /// METHOD=AES-128: whole segments.
        case aes128 = "aes-128"
        /// METHOD=SAMPLE-AES: scheme `cbcs` in fragmented MP4.
        case sampleAES = "sample-aes"
    }

    /// Where the UTC of a sample comes from.
    package enum ClockSource: String, CaseIterable, Hashable, Sendable {
        /// From when the feed began to arrive.
        case arrival
        /// From presentation timestamps that are UTC in 90 kHz modulo 2^33.
        case pts
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

    package struct AudioDescription: Hashable, Sendable {
        /// Language tag (BCP 47).
        package var language: String?
        /// What a player's menu shows.
        package var name: String?

        package init(language: String? = nil, name: String? = nil) {
            self.language = language
            self.name = name
        }
    }
}
