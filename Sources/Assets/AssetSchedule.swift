package import MediaCore
package import Operations

/// Decides which assets are taken on, which is made next, and which go.
package struct AssetSchedule: Hashable, Sendable {
    /// The most assets of a channel.
    package var mostAssets = 1000
    /// The most that wait.
    package var mostWaiting = 16
    /// The longest time from the start of an asset to its end, and the farthest that its end may lie ahead.
    package var longest = Self.longestAsset
    /// The time after its end that an asset waits for slots that are late; then it is made without them.
    package var patience = MediaTime(seconds: 60)
    /// The time that all viewers are kept behind; an asset is made once it has passed since the end.
    package var delay = MediaTime.zero
    /// The time for which an asset that could not be made is listed with its problem.
    package var failureKept = MediaTime(seconds: 7 * 86_400)
    /// The time before an asset that could not be removed is tried again.
    package var removalPause = MediaTime(seconds: 300)

    static let longestAsset = MediaTime(seconds: 24 * 3600)
    /// The longest time of an asset with keys of its own: the text of all its playlists is in memory while it is made,
    /// and one of them as values.
    static let longestRekeyed = MediaTime(seconds: 12 * 3600)

    package init() {}

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - assets: The present assets.
    ///   - recorded: The time that is recorded; nil if nothing is.
    ///   - now: UTC.
    /// - Throws: ``AssetRefusal`` if it is not taken on.
    package func check(
        _ request: AssetRequest,
        among assets: [AssetRecord],
        recorded: Range<MediaTime>?,
        now: MediaTime
    ) throws(AssetRefusal) {
        guard assets.count < mostAssets else { throw .tooMany(mostAssets) }
        let waiting = assets.count { $0.state == .waiting }
        guard waiting < mostWaiting else { throw .tooManyWaiting(mostWaiting) }
        let hours = Int(longest.ticks / MediaTime(seconds: 3600).ticks)
        let (from, to) = (request.from?.time, request.to?.time)
        guard request.programme != nil || from != nil && to != nil else { throw .incomplete }
        if let from, let to {
            guard from < to else { throw .backwards }
            let longest = request.keys == .new ? min(longest, Self.longestRekeyed) : longest
            guard to - from <= longest else {
                throw .tooLong(hours: Int(longest.ticks / MediaTime(seconds: 3600).ticks))
            }
        }
        if let to, to > now + longest { throw .tooFar(hours: hours) }
        if let from, from > now + longest { throw .tooFar(hours: hours) }
        guard let to, to <= now else { return }
        guard let recorded else { throw .outside(recorded: "nothing yet") }
        if to <= recorded.lowerBound || (from ?? to) >= recorded.upperBound {
            throw .outside(recorded: "\(recorded.lowerBound.iso8601) to \(recorded.upperBound.iso8601)")
        }
    }

    package enum Action: Hashable, Sendable {
        case make(id: String)
        case remove(id: String)
    }

    /// Decides on the next action.
    ///
    /// - Parameters:
    ///   - assets: The present assets.
    ///   - ends: The ends of those that wait, where they are known.
    ///   - recorded: The time that is recorded; nil if nothing is.
    ///   - now: UTC.
    /// - Returns: The removal of the oldest asset that has expired, else the making of the oldest that need not wait
    ///   any longer; nil if there is nothing to do.
    package func next(
        among assets: [AssetRecord],
        ends: [String: MediaTime],
        recorded: Range<MediaTime>?,
        now: MediaTime
    ) -> Action? {
        let ordered = assets.sorted { ($0.posted.time, $0.id) < ($1.posted.time, $1.id) }
        if let expired = ordered.first(where: { $0.isOver(at: now) }) {
            return .remove(id: expired.id)
        }
        return ordered.first { asset in
            guard asset.state == .waiting else { return false }
            guard let end = asset.request.to?.time ?? ends[asset.id] else {
                // A programme without an end is given up.
                return asset.posted.time + longest <= now
            }
            guard end + delay <= now else { return false }
            let isRecorded = recorded.map { end <= $0.upperBound } ?? false
            return isRecorded || end + patience <= now
        }
        .map { .make(id: $0.id) }
    }
}
