import Codecs
import MediaCore

/// Measures groups of pictures: their lengths, and references beyond them.
struct GroupWatch: Sendable {
    private(set) var count = 0
    private(set) var shortest: Int64?
    private(set) var longest: Int64?
    private var total: Int64 = 0
    private var pictureCounts: Set<Int> = []
    private(set) var isOpen = false
    private(set) var refreshesGradually = false
    private(set) var mostBPictures = 0

    /// Presentation of the first picture of the group that has begun; nil before there is one.
    private var start: Int64?
    private var pictures = 0
    /// The latest presentation so far.
    private var latest: Int64?
    private var bPictures = 0

    /// - Parameters:
    ///   - unit: A picture or a field.
    ///   - presentation: In ticks, counted on where they wrap.
    mutating func received(_ unit: TrackReader.Unit, presentation: Int64) {
        guard unit.field != .second else { return }
        if unit.isSkippedLeading { isOpen = true }
        if unit.recoversGradually { refreshesGradually = true }
        if unit.isSync || (unit.isRecoveryPoint && !unit.recoversGradually) {
            // A picture that decoding may start at if need be is an I picture that later ones refer past.
            if !unit.isSync { isOpen = true }
            if let start, presentation > start { ended(after: presentation - start) }
            (start, pictures) = (presentation, 0)
        }
        if start != nil { pictures += 1 }
        if let latest, presentation < latest {
            bPictures += 1
            mostBPictures = max(mostBPictures, bPictures)
        } else {
            (latest, bPictures) = (presentation, 0)
        }
    }

    /// Forgets the pictures so far: those that follow have nothing to do with them.
    mutating func interrupted() {
        (start, latest, bPictures) = (nil, nil, 0)
    }

    private mutating func ended(after duration: Int64) {
        count += 1
        shortest = min(shortest ?? duration, duration)
        longest = max(longest ?? duration, duration)
        total += duration
        pictureCounts.insert(pictures)
    }

    /// - Parameter picture: The length of a picture, in ticks.
    /// - Returns: The findings so far.
    func report(picture: Int64) -> FeedReport.Track.Groups {
        let spread = (longest ?? 0) - (shortest ?? 0)
        return FeedReport.Track.Groups(
            count: count,
            shortest: shortest.map(Self.seconds),
            longest: longest.map(Self.seconds),
            mean: count > 0 ? Self.seconds(total / Int64(count)) : nil,
            pictures: pictureCounts.count == 1 ? pictureCounts.first : nil,
            // Timestamps are rounded.
            isRegular: count > 0 && spread < max(picture / 2, 2),
            isOpen: isOpen,
            refreshesGradually: refreshesGradually
        )
    }

    private static func seconds(_ ticks: Int64) -> Double { MediaTime(ticks: ticks).seconds.rounded(to: 3) }
}

extension Double {
    /// The number with so many decimals.
    func rounded(to decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
