import ISOBMFF
import MediaCore
import NIOCore

/// A clip as one MP4 file: its tables, and the samples that follow them.
///
/// A clip shows exactly the pictures from one time to another. Decoding starts at the key frame before, so an edit list
/// hides the first pictures (ISO/IEC 14496-12 § 8.6.6).
struct ClipPlan: Sendable {
    let movie: ProgressiveMovie
    /// The copies that make the file behind its head, in order.
    let steps: [Step]
    /// The pieces of time that are shown, on the edges of pictures.
    let pieces: [Range<MediaTime>]

    /// Samples of one segment that go into the file behind those before.
    struct Step: Hashable, Sendable {
        /// The index of the rendition; renditions without samples in the pieces are counted, too.
        var rendition: Int
        /// The index of the segment, as ``ClipTrack/append(_:_:start:source:)`` got it.
        var source: Int
        /// The samples, by their places in the segment.
        var samples: [Int]
    }

    /// The longest clip: at 192,000 ticks a second, its times fit in 32 bits.
    static let longest = MediaTime(seconds: 6 * 3600)

    /// - Parameters:
    ///   - tracks: Renditions, around the pieces.
    ///   - pieces: Pieces of time, in UTC, in order.
    /// - Throws: ``ClipError`` if they are too long together, or have no media.
    init(_ tracks: [ClipTrack], pieces: [Range<MediaTime>]) throws(ClipError) {
        let pieces = Self.onFrames(pieces, of: tracks)
        let length = pieces.reduce(MediaTime.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        guard length <= Self.longest else { throw .tooLong(Self.longest) }
        var movieTracks: [ProgressiveMovie.Track] = []
        var sorted: [(start: MediaTime, step: Step, chunk: ProgressiveMovie.Chunk)] = []
        for (rendition, track) in tracks.enumerated() {
            let cut = ClipCut(track, pieces: pieces)
            guard !cut.intervals.isEmpty else { continue }
            for (start, step, entry) in cut.steps(rendition: rendition) {
                let count = step.samples.count
                let chunk = ProgressiveMovie.Chunk(track: movieTracks.count, sampleCount: count, entry: entry)
                sorted.append((start, step, chunk))
            }
            movieTracks.append(cut.movieTrack)
        }
        guard !movieTracks.isEmpty, length > .zero else { throw .nothingRecorded }
        sorted.sort { ($0.start, $0.step.rendition) < ($1.start, $1.step.rendition) }
        steps = sorted.map(\.step)
        movie = ProgressiveMovie(
            tracks: movieTracks,
            chunks: sorted.map(\.chunk),
            duration: UInt32(clamping: length.ticks)
        )
        self.pieces = pieces
    }

    /// Moves the edges of pieces to the nearest edges of pictures, so that no picture is shown for half of its time.
    private static func onFrames(_ pieces: [Range<MediaTime>], of tracks: [ClipTrack]) -> [Range<MediaTime>] {
        guard let video = tracks.first(where: { $0.kind == .video }), !video.samples.isEmpty else { return pieces }
        var edges = video.samples.map(\.presentationTime)
        edges.sort()
        if let last = video.samples.max(by: { $0.presentationTime < $1.presentationTime }) {
            edges.append(last.presentationTime + Int64(last.duration))
        }
        return pieces.compactMap { piece in
            let lower = nearest(to: piece.lowerBound, of: edges, timescale: video.timescale)
            let upper = nearest(to: piece.upperBound, of: edges, timescale: video.timescale)
            return lower < upper ? lower..<upper : nil
        }
    }

    /// The time beyond which an edge belongs to another picture: in a hole, times are not changed.
    private static let longestFrame = MediaTime(milliseconds: 500)

    /// - Parameters:
    ///   - time: A time.
    ///   - edges: Edges in ticks of `timescale`, in order; not empty.
    ///   - timescale: Ticks per second.
    /// - Returns: The nearest edge, or the time if none is near.
    private static func nearest(to time: MediaTime, of edges: [Int64], timescale: Int64) -> MediaTime {
        let ticks = time.value(timescale: timescale)
        let next = edges.partitioningIndex { $0 >= ticks }
        let near = [next - 1, next].filter(edges.indices.contains).map { MediaTime(edges[$0], timescale: timescale) }
        let edge = near.min { abs(($0 - time).ticks) < abs(($1 - time).ticks) }
        guard let edge, abs((edge - time).ticks) <= longestFrame.ticks else { return time }
        return edge
    }
}
