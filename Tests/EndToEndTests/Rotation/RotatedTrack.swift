import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// A track of a channel of many keys, and what it was made of.
struct RotatedTrack: Sendable {
    /// The URI of its media playlist.
    var uri: String
    var kind: MediaKind
    /// True if it is alone in its segments.
    var isAlone = true
    /// The stream of the feed that it was, in FFmpeg's words.
    var source: String

    /// All of a channel.
    static func all(of multivariant: MultivariantPlaylist) -> [RotatedTrack] {
        let variants = multivariant.variants.flatMap { variant in
            let isMuxed = variant.audioGroup == nil && variant.codecs.count > 1
            let video = RotatedTrack(uri: variant.uri, kind: .video, isAlone: !isMuxed, source: "v:0")
            return isMuxed
                ? [video, RotatedTrack(uri: variant.uri, kind: .audio, isAlone: false, source: "a:0")] : [video]
        }
        let renditions = multivariant.renditions.compactMap(\.uri).map { uri in
            RotatedTrack(uri: uri, kind: .audio, source: uri.contains("-de") ? "a:1" : "a:0")
        }
        return variants + renditions
    }

    /// Decoded pictures, or coded frames of audio.
    private func frames(_ input: [String], _ stream: String, isFramed: Bool) async throws -> [DecodedFrame] {
        let filter = isFramed ? "aac_adtstoasc" : "null"
        return kind == .video
            ? try await Frames.decoded(input, stream) : try await Frames.coded(input, stream, filter: filter)
    }

    /// Returns the frames that it was made of.
    func frames(of feed: String) async throws -> [String] {
        try await frames(["-i", feed], source, isFramed: true).map(\.checksum)
    }

    /// The slate's frames in its place, which has one track of audio.
    var slate: [String] {
        get async throws {
            var track = self
            track.source = kind == .video ? "v:0" : "a:0"
            return try await track.frames(of: Repository.slate)
        }
    }

    /// Expects that a run is the feed's, frame by frame, with either decryptor.
    ///
    /// - Parameters:
    ///   - run: Of its segments.
    ///   - source: The feed's frames, which may start over.
    ///   - seams: Where the feed may have begun anew.
    ///   - isBroken: Whether the feed broke off: then there may be silence for audio that is missing, and damage.
    ///   - directory: Where files go.
    /// - Throws: What the judges find wrong.
    func expect(
        _ run: MediaRun,
        of source: [String],
        seams: Int = 0,
        isBroken: Bool = false,
        in directory: TemporaryDirectory
    ) async throws {
        let isFramed = run.periods.first?.segments.first?.map == nil
        for (judge, reading) in try await run.readings(kind, in: directory) {
            var frames: [String] = []
            for input in reading.inputs {
                let read = try await self.frames(input, kind == .video ? "v:0" : "a:0", isFramed: isFramed)
                // Where it goes back, FFmpeg lets time stand still.
                let back =
                    reading.repeatsEnds ? Array(zip(read, read.dropFirst())).firstIndex { $1.time <= $0.time } : nil
                frames += read.prefix(back.map { $0 + 1 } ?? read.count).map(\.checksum)
            }
            let what = "\(uri), \(kind), \(judge): \(frames.count) frames in \(run.seconds) s"
            // Where a feed breaks off, the last segment is shorter than it is said to be; where it begins anew before it
            // has ended, what overlaps is decoded in no time.
            let rate = kind == .video ? 25 : 48_000.0 / 1024
            let most = Int((run.seconds + Double(seams)) * rate) + 1
            #expect(Double(frames.count) >= (run.seconds - 1) * rate - 3 && frames.count <= most, "\(what)")
            // What was cut in two by that is not whole: the last pictures, and a frame of audio at either end.
            let order = FrameOrder(of: frames.dropFirst(kind == .video ? 0 : 1).dropLast(3), in: source)
            #expect(order.seams <= seams && order.foreign.count <= (isBroken ? 3 : 0), "\(what), \(order)")
        }
    }
}

/// Compares frames with those of a feed, one after the other.
private struct FrameOrder {
    /// The number of times that they continue elsewhere in the feed.
    var seams = 0
    /// The frames that the feed does not have.
    var foreign: Set<String> = []

    init(of frames: some Sequence<String>, in source: [String]) {
        let places = Dictionary(grouping: source.indices) { source[$0] }
        var next = Set(source.indices)
        for frame in frames {
            if let known = places[frame] {
                if next.isDisjoint(with: known) { next = Set(known); seams += 1 } else { next.formIntersection(known) }
            } else {
                foreign.insert(frame)
            }
            next = Set(next.map { ($0 + 1) % source.count })
        }
    }
}
