import Files
import Glibc
import ISOBMFF
import Inspection
package import MediaCore
import NIOCore
import Playlists
package import Rekeying

/// Makes clips as one MP4 file.
///
/// Segments are read twice, one at a time: first for the tables, then for the samples. Memory holds the tables and one
/// segment.
package struct ClipMaker: Sendable {
    private let media: any RecordedMedia
    private let opener: SegmentOpener
    private let fileSystem = LocalFileSystem.confidential

    /// A summary of a clip that was made.
    package struct Summary: Hashable, Sendable {
        /// The pieces of time that it shows, in UTC.
        package var pieces: [Range<MediaTime>]
        package var byteCount: Int
    }

    /// - Parameters:
    ///   - media: The bytes of the segments.
    ///   - opener: Decrypts them.
    package init(_ media: any RecordedMedia, opener: SegmentOpener) {
        (self.media, self.opener) = (media, opener)
    }

    /// Makes a clip; the file appears whole or not at all.
    ///
    /// - Parameters:
    ///   - renditions: Video and audio, or either.
    ///   - pieces: Pieces of time that it shall show, in UTC, in order.
    ///   - path: The path of the file; an existing file is replaced.
    /// - Returns: A summary.
    /// - Throws: ``ClipError``, `RekeyingError` where a key is not known, or `FileError`.
    package func make(_ renditions: [ClipRendition], pieces: [Range<MediaTime>], at path: String) throws -> Summary {
        var reader = Reader(media: media, opener: opener)
        let length = pieces.reduce(MediaTime.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        guard length <= ClipPlan.longest + MediaTime(seconds: 1) else { throw ClipError.tooLong(ClipPlan.longest) }
        var tracks: [(track: ClipTrack, rendition: ClipRendition)] = []
        for rendition in renditions {
            if let track = try reader.track(of: rendition) { tracks.append((track, rendition)) }
        }
        guard !tracks.isEmpty else { throw ClipError.nothingRecorded }
        let plan = try ClipPlan(tracks.map(\.track), pieces: pieces)
        let unfinished = "\(path).\(getpid())\(LocalFileSystem.temporarySuffix)"
        do {
            let byteCount = try write(plan, tracks.map(\.rendition), reader, to: unfinished)
            guard rename(unfinished, path) == 0 else { throw FileError(operation: "rename", path: path, code: errno) }
            return Summary(pieces: plan.pieces, byteCount: byteCount)
        } catch {
            try? fileSystem.remove(unfinished)
            throw error
        }
    }

    private func write(
        _ plan: ClipPlan,
        _ renditions: [ClipRendition],
        _ reader: Reader,
        to path: String
    ) throws -> Int {
        var reader = reader
        let head = plan.movie.head()
        try fileSystem.create(path, head)
        let file = try OpenFile(path, O_WRONLY)
        var end = head.readableBytes
        for step in plan.steps {
            let bytes = try reader.samples(step.samples, of: renditions[step.rendition].segments[step.source])
            try file.write(bytes, at: end)
            end += bytes.readableBytes
        }
        try file.synchronize()
        return end
    }

    /// Reads segments in the clear.
    private struct Reader {
        let media: any RecordedMedia
        let opener: SegmentOpener
        /// Sections by their paths.
        private var sections: [String: ClipSection] = [:]

        init(media: any RecordedMedia, opener: SegmentOpener) {
            (self.media, self.opener) = (media, opener)
        }

        /// - Returns: The samples of a rendition; nil if it has none.
        mutating func track(of rendition: ClipRendition) throws -> ClipTrack? {
            var track: ClipTrack?
            for (source, segment) in rendition.segments.enumerated() {
                guard SegmentFormat(path: segment.line.uri) == .fragmentedMP4, let map = segment.line.map else {
                    throw ClipError.otherFormat(rendition: rendition.id.name)
                }
                let section = try section(map)
                let fragments = try fragments(in: try bytes(of: segment), section, segment.line.uri)
                // A track of a file is of one kind to its end.
                if let kind = track?.kind, kind != section.kind { continue }
                if track == nil { track = ClipTrack(section) }
                // In its place: a copy for each segment would cost the square of the clip's length.
                track?.append(fragments, section, start: segment.line.programDateTime, source: source)
            }
            return track
        }

        /// Reads samples of a segment.
        ///
        /// - Parameters:
        ///   - indices: Indices of samples among those of the segment, in order.
        ///   - segment: The segment.
        /// - Returns: The samples in the clear, one behind the other.
        /// - Throws: ``ClipError`` if something cannot be read, `RekeyingError` where a key is not known, or the error
        ///   of the recording.
        mutating func samples(_ indices: [Int], of segment: ClipRendition.Segment) throws -> ByteBuffer {
            guard let map = segment.line.map else { throw ClipError.nothingRecorded }
            let (section, path) = (try section(map), segment.line.uri)
            var bytes = try self.bytes(of: segment)
            let all = try fragments(in: bytes, section, path).flatMap(\.samples)
            guard let last = indices.last, last < all.count else {
                throw ClipError.unreadable(path: path, reason: "it has fewer samples than before")
            }
            let samples = indices.map { all[$0] }
            try opener.open(&bytes, path, samples: samples, of: section.track, keys: segment.line.keys)
            var written = ByteBuffer()
            written.reserveCapacity(samples.reduce(0) { $0 + $1.size })
            for sample in samples {
                let index = bytes.readerIndex + sample.range.lowerBound
                if let payload = bytes.getSlice(at: index, length: sample.size) {
                    written.writeImmutableBuffer(payload)
                }
            }
            return written
        }

        private func bytes(of segment: ClipRendition.Segment) throws -> ByteBuffer {
            let line = segment.line
            return try opener.opened(try read(line.uri), line.uri, number: segment.number, keys: line.keys)
        }

        private mutating func section(_ map: MediaInitialization) throws -> ClipSection {
            if let known = sections[map.uri] { return known }
            let bytes = try opener.opened(try read(map.uri), map.uri, number: nil, keys: map.keys)
            let section = try ClipSection(bytes, map.uri)
            sections[map.uri] = section
            return section
        }

        private func read(_ path: String) throws -> ByteBuffer {
            guard let bytes = try media.bytes(at: path) else {
                throw ClipError.unreadable(path: path, reason: "it is not in the recording any more")
            }
            return bytes
        }

        private func fragments(
            in bytes: ByteBuffer,
            _ section: ClipSection,
            _ path: String
        ) throws(ClipError) -> [ParsedFragment] {
            do throws(MalformedBoxError) {
                let fragments = try ParsedFragment.fragments(in: bytes, initialization: section.initialization)
                return fragments.filter { $0.trackID == section.track.trackID }
            } catch {
                throw .unreadable(path: path, reason: "\(error)")
            }
        }
    }
}
