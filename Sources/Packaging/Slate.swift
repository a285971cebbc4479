import ISOBMFF
import MediaCore

/// A prepared programme that is shown while no input has media: it runs on the clock, so that every packager shows the
/// same of it at the same time.
package struct Slate: Sendable {
    private let video: Track?
    private let audio: Track?

    /// A track's samples on a timeline that starts at zero, in units of its timescale.
    struct Track: Sendable {
        var configuration: CodecConfiguration
        var timescale: Int64
        var samples: [FragmentSample]

        var duration: Int64 { samples.reduce(0) { $0 + Int64($1.duration) } }

        /// The sync sample that is on air at a point in UTC, or the newest before it.
        func index(at utc: MediaTime) -> Int {
            let position = utc.value(timescale: timescale) % max(duration, 1)
            var time: Int64 = 0
            var newest = 0
            for (index, sample) in samples.enumerated() {
                if time > position { break }
                if sample.isSync { newest = index }
                time += Int64(sample.duration)
            }
            return newest
        }
    }

    init(video: Track?, audio: Track?) {
        self.video = video
        self.audio = audio
    }

    /// Fills a gap with what is on air at its time; nil where the file has no such track.
    func fill(_ gap: CutSegment, kind: TrackKind) -> CutSegment? {
        guard let track = kind == .video ? video : audio, !track.samples.isEmpty else { return nil }
        let first = track.index(at: gap.start.utc)
        return gap.filled(by: .slate, track.configuration, timescale: track.timescale) { count in
            track.samples[(first + count) % track.samples.count]
        }
    }
}
