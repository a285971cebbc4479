import Codecs
package import ISOBMFF
package import MediaCore

/// A prepared programme that is shown while no input has media: it runs on the clock, so that every packager shows the
/// same picture of it at the same time.
package struct Slate: Sendable {
    private let video: Track?
    private let audio: Track?

    /// A track's samples on a timeline that starts at zero, in units of its timescale.
    package struct Track: Sendable {
        var configuration: CodecConfiguration
        var timescale: Int64
        var samples: [FragmentSample]

        package init(configuration: CodecConfiguration, timescale: Int64, samples: [FragmentSample]) {
            self.configuration = configuration
            self.timescale = timescale
            self.samples = samples
        }

        var duration: Int64 { samples.reduce(0) { $0 + Int64($1.duration) } }

        /// Returns the index of the sync sample that is on air at a point in UTC, or of the newest before it.
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

    /// The longest time from one key frame of the video to the next, which may be that of the next round; nil without video.
    var keyFrameDistance: MediaTime? {
        guard let video, !video.samples.isEmpty else { return nil }
        var (longest, passed): (Int64, Int64) = (0, 0)
        for sample in video.samples {
            if sample.isSync { passed = 0 }
            passed += Int64(sample.duration)
            longest = max(longest, passed)
        }
        return MediaTime(longest, timescale: video.timescale)
    }

    package init(video: Track?, audio: Track?) {
        self.video = video
        self.audio = audio
    }

    /// Returns the reason why it cannot fill a rendition.
    ///
    /// - Parameters:
    ///   - kind: The kind of the rendition.
    ///   - codec: The rendition's value in CODECS.
    /// - Returns: A sentence; nil if it can.
    func mismatch(with kind: MediaKind, of codec: String) -> String? {
        guard let own = track(of: kind)?.configuration, !own.isOfCodec(codec) else { return nil }
        let instead: String
        switch kind {
        case .video: instead = "the newest key frame is shown"
        case .audio: instead = "silence is heard"
        case .text: return nil
        }
        return "the slate has \(kind) of \(own.rfc6381), not of \(codec): \(instead) instead"
    }

    private func track(of kind: MediaKind) -> Track? {
        switch kind {
        case .video: video
        case .audio: audio
        case .text: nil
        }
    }

    /// Fills a gap with the samples that are on air at its time; nil if the file has no such track, or one of
    /// another codec.
    ///
    /// Players have chosen a variant by its CODECS, and the filler must be of these (RFC 8216bis § 4.4.6.2).
    ///
    /// - Parameters:
    ///   - gap: The gap.
    ///   - filled: The track that has it.
    ///   - run: The fillers of the same slot before the gap, which it continues: a decoder has begun with their key frame.
    /// - Returns: The filled segment.
    func fill(_ gap: CutSegment, of filled: SegmenterTrack, after run: FillerRun?) -> CutSegment? {
        guard let track = track(of: filled.kind), !track.samples.isEmpty,
            filled.codec.map({ track.configuration.isOfCodec($0) }) ?? true
        else { return nil }
        let first = track.index(at: run?.start ?? gap.start.utc) + (run?.sampleCount ?? 0)
        return gap.filled(by: .slate, track.configuration, timescale: track.timescale) { count in
            track.samples[(first + count) % track.samples.count]
        }
    }
}

extension CodecConfiguration {
    /// Returns true if it is of a codec in CODECS, with any profile and level (RFC 6381 § 3.3).
    fileprivate func isOfCodec(_ name: String) -> Bool { rfc6381.codec == name.codec }
}

extension String {
    /// The codec without profile and level; MPEG-1 and MPEG-2 audio share AAC's sample entry (ISO/IEC 14496-3 §
    /// 1.5.1.1).
    fileprivate var codec: Substring {
        ["mp4a.40.33", "mp4a.40.34"].contains(self) ? self[...] : prefix { $0 != "." }
    }
}
