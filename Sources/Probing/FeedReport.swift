import MediaCore

/// The contents of a feed, the way it comes, and the stream that a packager would make of it.
///
/// As JSON its names are those of its properties; they stay what they are, and others may join them. Times are in seconds,
/// rates in bits a second. What is not known or does not concern is left out.
package struct FeedReport: Hashable, Sendable, Codable {
    /// The location without its secrets.
    package var feed: String
    /// The length that was read, by its own timestamps.
    package var seconds: Double
    /// The programs of a transport stream.
    package var programs: Programs?
    package var tracks: [Track]
    var splices: Splices?
    /// Tags of timed ID3; nil if the feed has no track of them.
    var timedMetadata: Int?
    var timing: Timing
    package var publication: Publication
    var advice: [Advice]
    /// The verdict in a sentence.
    package var verdict: String

    package struct Programs: Hashable, Sendable, Codable {
        /// Numbers of those that have something to read.
        package var carried: [Int]
        /// The number of the one that is read.
        package var read: [Int]
    }

    /// SCTE-35.
    struct Splices: Hashable, Sendable, Codable {
        /// Sections that came.
        var sections: Int
        /// Sections that could not be read.
        var unreadable: Int
        /// PIDs of its stream type that the program map does not register, so that nothing is read of them.
        var unregisteredPIDs: [Int]
    }

    struct Timing: Hashable, Sendable, Codable {
        /// Packets that the transport had lost a part of, or damaged.
        var damagedPackets: Int
        /// Packets that make no picture and no sound.
        var unreadablePackets: Int
        /// Timestamps that go back, or leap by more than a second.
        var discontinuities: Int
        /// Packets without any timestamp that had to have one.
        var missingTimestamps: Int
        /// The number of times that the feed broke off.
        var losses: Int
        /// Datagrams that were lost before anything was read of them; nil where none was.
        var datagramsLost: DatagramLosses?
        /// Addresses and ports of those that have sent it, where there was more than one.
        var senders: [String]?
        /// Seconds between the earliest and the latest that media came by the clock of this machine, drift apart; only
        /// of what comes live.
        var jitter: Double?
        /// The millionths by which the feed's clock is faster than this machine's; only if it can be distinguished from
        /// jitter.
        var driftPPM: Double?
    }

    package struct Publication: Hashable, Sendable, Codable {
        /// True if anything would be published.
        package var isPossible: Bool
        /// The renditions of what was read, in order.
        package var renditions: [String]
        /// Seconds; with the defaults of all settings.
        package var segmentDuration: Double
        package var targetDuration: Int
        /// Seconds that players are behind the feed: three target durations (RFC 8216bis § 6.3.3).
        var latency: Int
    }

    /// A change that would make it better.
    struct Advice: Hashable, Sendable, Codable {
        /// `key: value` for a configuration file; nil for what only the encoder can change.
        var setting: String?
        /// The text, a sentence.
        var text: String
        /// True if something is wrong; else it is a chance.
        var isFault = false
    }
}
