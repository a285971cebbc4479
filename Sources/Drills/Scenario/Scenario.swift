package import MediaCore

/// A rehearsed failure: the programs, the faults with their times, and the effect that viewers may notice.
///
/// Times count from the drill's zero, when the player has been playing for a while.
package struct Scenario: Hashable, Sendable {
    /// The file's name without its extension.
    package var name: String
    /// A paragraph on the faults and the expectations.
    package var description: String
    /// The time for which it is watched from zero on.
    var duration: MediaTime
    /// The time from the start of the encoders to zero, which a packager and a player need to get going.
    var warmUp: MediaTime
    /// The options of the packagers besides their feeds and addresses.
    var options: [Option]
    /// True if packagers keep a journal, which outlives them.
    var keepsState: Bool
    var inputs: [Feed]
    var backups: [Feed]
    /// 1, or 2 for a pair fed the same.
    var packagers: Int
    /// True if the player reaches the pair through a balancer that flips it to and fro.
    var isBalanced: Bool
    /// True if there is a cache between the player and the packagers.
    var isCached = false
    /// The number of channels, each with packagers, encoders and a player of its own.
    var groups = 1
    /// The number of machines that packagers run on; 0 if all is on this one.
    var machines = 0
    /// The channel that this is the scenario of, from 0 on.
    var group = 0
    /// The fault of the disk that the state is on; nil: none.
    var disk: Disk?
    /// Breaks of the programme, which every encoder signals (SCTE-35).
    var breaks: [Break] = []
    /// The language of subtitles that come beside the feeds; nil if there are none.
    var subtitles: String?
    /// The number of other viewers, who only poll and fetch.
    var viewers = 0
    var faults: [ScriptedFault]
    var expectations: [MetricLimits]

    /// A key of the packager's command line with its values; none stands for a flag.
    package struct Option: Hashable, Sendable {
        package var name: String
        package var values: [String]

        package init(_ name: String, _ values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// A generated feed.
    struct Feed: Hashable, Sendable {
        var transport: Transport
        /// A transport stream that is repeated without a seam.
        var samplePath: String
        /// The codec and options that ffmpeg encodes its pictures with, `libx264 -b:v 800k -g 50`; nil: they are sent
        /// as they are.
        var encoder: String?
        var timestamps: Timestamps

        enum Transport: String, CaseIterable, Sendable {
            case udp, srt
        }

        enum Timestamps: String, CaseIterable, Sendable {
            /// Timestamps are UTC, as of encoders with a common clock.
            case utc
            /// Timestamps begin anywhere, differently in each encoder.
            case arbitrary
            /// Timestamps wrap at 33 bits soon after the start (ISO/IEC 13818-1 § 2.4.3.7).
            case nearWrap = "near-wrap"
        }
    }

    /// An encoder leaves the programme and comes back, each time with the first key frame that is due.
    struct Break: Hashable, Sendable {
        var start: MediaTime
        var length: MediaTime
        /// The time before each of the two at which it is announced first.
        var lead: MediaTime

        var end: MediaTime { start + length }
    }

    enum Disk: Hashable, Sendable {
        /// A disk of so many bytes and no more.
        case limited(Int)
        /// Every flush and every rename takes this long.
        case slow(MediaTime)
    }

    /// A target of faults, as `input-1`, `backup-1`, `packager-1` in the file.
    enum Target: Hashable, Sendable, CustomStringConvertible {
        case input(Int)
        case backup(Int)
        case packager(Int)
        case subtitles
        case cache
        case machine(Int)

        var description: String {
            switch self {
            case .input(let number): "input-\(number)"
            case .backup(let number): "backup-\(number)"
            case .packager(let number): "packager-\(number)"
            case .subtitles: "subtitles"
            case .cache: "cache"
            case .machine(let number): "machine-\(number)"
            }
        }
    }

    /// The possible targets of faults, in the order in which reports show them.
    var targets: [Target] {
        inputs.indices.map { .input($0 + 1) } + backups.indices.map { .backup($0 + 1) }
            + (1...packagers).map { .packager($0) } + (subtitles == nil ? [] : [.subtitles])
            + (isCached ? [.cache] : []) + (machines > 0 ? (1...machines).map { .machine($0) } : [])
    }

    /// Returns the number of the machine that a packager runs on: the two of a pair have one each.
    ///
    /// - Parameter member: The packager, from 0 on.
    /// - Returns: From 1 on.
    func machine(of member: Int) -> Int { (group * packagers + member) % max(machines, 1) + 1 }

    /// The scenarios of all channels, which are carried out at the same time.
    var scenariosOfGroups: [Scenario] {
        guard groups > 1 else { return [self] }
        return (0..<groups).map { group in
            var scenario = self
            scenario.group = group
            scenario.name = "\(name)-\(group + 1)"
            return scenario
        }
    }

    /// The length of a slot.
    package var segmentDuration: MediaTime {
        let text = options.first { $0.name == "segment-duration" }?.values.first
        // The packager's own reader reports wrong values; here they must only not trap.
        let seconds = text.flatMap(Double.init).flatMap { (0...3_600).contains($0) ? $0 : nil }
        return MediaTime(milliseconds: Int64(((seconds ?? 4) * 1000).rounded()))
    }
}
