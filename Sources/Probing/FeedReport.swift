import MediaCore

/// The contents of a feed, its arrival, and the stream that packager would make of it.
///
/// JSON has the names of the properties. They never change, and others may be added. Times are in seconds,
/// rates in bits per second. Unknown values are left out.
package struct FeedReport: Hashable, Sendable, Codable {
    /// The location without its secrets.
    package var feed: String
    /// The length that was read, by its own timestamps.
    package var seconds: Double
    /// The programs of a transport stream.
    package var programs: Programs?
    package var tracks: [Track]
    var splices: Splices?
    /// The number of ID3 tags; nil if the feed has no such track.
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
        /// The PIDs of its stream type that the program map does not register, and that are not read.
        var unregisteredPIDs: [Int]
    }

    struct Timing: Hashable, Sendable, Codable {
        /// The number of packets that the transport damaged.
        var damagedPackets: Int
        /// Packets that make no picture and no sound.
        var unreadablePackets: Int
        /// Timestamps that go back, or leap by more than a second.
        var discontinuities: Int
        /// The number of packets without a necessary timestamp.
        var missingTimestamps: Int
        /// The number of times that the feed broke off.
        var losses: Int
        /// The datagrams that were lost before they were read; nil if none was.
        var datagramsLost: DatagramLosses?
        /// Addresses and ports of those that have sent it, where there was more than one.
        var senders: [String]?
        /// The seconds between the earliest and the latest arrival of media by the clock of this machine, without
        /// drift; only for live feeds.
        var jitter: Double?
        /// The millionths by which the feed's clock is faster than this machine's; only if it can be distinguished from
        /// jitter.
        var driftPPM: Double?
    }

    package struct Publication: Hashable, Sendable, Codable {
        /// True if anything would be published.
        package var isPossible: Bool
        /// The renditions, in order.
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
