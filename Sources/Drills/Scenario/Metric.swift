/// The metrics of a drill.
///
/// Raw values are what scenario files and reports in JSON call them.
enum Metric: String, CaseIterable, Codable, Sendable {
    /// The time from a fault to the first sign of its detection.
    case detection
    /// The time without media, in the rendition that has least.
    case gap
    case videoGap = "video-gap"
    case audioGap = "audio-gap"
    /// The time with prepared media instead of the feed's.
    case filler
    case discontinuities
    /// The player waits for media.
    case stall
    /// The time from a fault's end to media at the live edge.
    case recovery
    /// Another input fills the slots.
    case switches
    /// The longest time that a playlist did not change.
    case playlistAge = "playlist-age"
    /// Media time that the player skipped.
    case jump
    /// Violations of the rules of HLS.
    case violations
    /// Segments and playlists in which the members of a pair differ.
    case differences
    /// Sequence numbers that were used for different bytes.
    case sequenceReuse = "sequence-reuse"
    /// Breaks announced to players.
    case ranges
    /// The ranges that were not ended.
    case openRanges = "open-ranges"
    /// The distance of a break's start or end from the start of a segment.
    case spliceDistance = "splice-distance"
    /// Requests of the audience that were not answered as they should be.
    case failedRequests = "failed-requests"

    enum Unit: String, Sendable {
        case count = ""
        case milliseconds = "ms"
        case seconds = "s"
        case targetDurations = "target durations"
    }

    var unit: Unit {
        switch self {
        case .detection, .spliceDistance: .milliseconds
        case .gap, .videoGap, .audioGap, .filler, .stall, .recovery, .jump: .seconds
        case .playlistAge: .targetDurations
        case .discontinuities, .switches, .violations, .differences, .sequenceReuse, .ranges, .openRanges,
            .failedRequests:
            .count
        }
    }

    var title: String {
        switch self {
        case .detection: "Detection"
        case .gap: "Gap"
        case .videoGap: "Gap in video"
        case .audioGap: "Gap in audio"
        case .filler: "Filler"
        case .discontinuities: "Discontinuities"
        case .stall: "Stall"
        case .recovery: "Recovery"
        case .switches: "Switches"
        case .playlistAge: "Oldest playlist"
        case .jump: "Skipped by the player"
        case .violations: "Rules broken"
        case .differences: "Differences in the pair"
        case .sequenceReuse: "Sequence numbers reused"
        case .ranges: "Breaks told of"
        case .openRanges: "Breaks not ended"
        case .spliceDistance: "Splice to segment"
        case .failedRequests: "Requests failed"
        }
    }

    /// A value as a report shows it, with its unit.
    func text(_ value: Double) -> String {
        let decimals =
            switch unit {
            case .count, .milliseconds: 0
            case .seconds, .targetDurations: 2
            }
        return [Decimals.text(value, places: decimals), unit.rawValue].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
