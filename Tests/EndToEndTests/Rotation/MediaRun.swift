import Foundation
import MediaCore
import Playlists
import TestSupport

/// Segments that follow each other without a gap or a discontinuity, under as many keys as there are.
struct MediaRun: Sendable {
    /// Each of one key and one initialization section, with absolute URIs.
    var periods: [MediaPlaylist]

    /// The length in seconds.
    var seconds: Double { periods.flatMap(\.segments).reduce(0) { $0 + $1.duration.time.seconds } }
}

extension MediaPlaylist {
    /// Its segments that have media, with absolute URIs.
    func runs(base: String) -> [MediaRun] {
        var playlists: [MediaPlaylist] = []
        var wasGap = true
        for (number, segment) in numbered {
            defer { wasGap = segment.isGap }
            guard !segment.isGap else { continue }
            if wasGap || segment.startsDiscontinuity {
                var playlist = self
                playlist.mediaSequence = number
                playlist.segments = []
                playlists.append(playlist)
            }
            playlists[playlists.count - 1].segments.append(segment)
        }
        return playlists.map { MediaRun(periods: $0.periods(base: base)) }
    }

    /// The number of keys that protect media in it.
    var countOfKeys: Int { Set(segments.filter { !$0.isGap }.flatMap(\.keys).map(\.uri)).count }
}

// MARK: - Judges

extension MediaRun {
    /// Options by which FFmpeg reads a run.
    struct Reading: Sendable {
        /// They follow each other.
        var inputs: [[String]]
        /// True if the last segment of each comes once more.
        var repeatsEnds = false
    }

    /// Options by which FFmpeg reads all of it, in each of the ways that there are to decrypt it.
    ///
    /// - Parameters:
    ///   - kind: Of the track, where there is one alone.
    ///   - directory: Where files go.
    /// - Returns: Readings, by what decrypts them.
    /// - Throws: What they find wrong.
    func readings(_ kind: MediaKind, in directory: TemporaryDirectory) async throws -> [String: Reading] {
        guard let first = periods.first?.segments.first, first.keys.first?.method == .sampleAES else {
            var playlist = periods[0]
            playlist.segments = periods.flatMap(\.segments)
            return ["FFmpeg": Reading(inputs: [try input(of: playlist, in: directory)])]
        }
        guard first.map != nil else {
            let inputs = try periods.map { try input(of: $0.repeatingItsEnd, in: directory) }
            return ["FFmpeg": Reading(inputs: inputs, repeatsEnds: true)]
        }
        var files: [EncryptedFile] = []
        for period in periods { files.append(try await EncryptedFile(of: period, in: directory)) }
        let clear = try await ShakaDecryptor.decrypt(files, "\(kind)")
        return [
            "FFmpeg": try concatenation(files.map { [$0.path] + $0.concatenationOptions }, in: directory),
            "Shaka Packager": try concatenation(clear.map { [$0] }, in: directory),
        ]
    }

    private func input(of playlist: MediaPlaylist, in directory: TemporaryDirectory) throws -> [String] {
        playlistOptions + [try directory.write(playlist.render(), to: "\(UUID().uuidString).m3u8")]
    }

    /// Joins files, each with its options.
    private func concatenation(_ files: [[String]], in directory: TemporaryDirectory) throws -> Reading {
        let lines = files.map { "file '\($0[0])'\n" + $0.dropFirst().map { "option \($0)\n" }.joined() }
        let list = try directory.write("ffconcat version 1.0\n" + lines.joined(), to: "\(UUID().uuidString).txt")
        return Reading(inputs: [["-f", "concat", "-safe", "0", "-i", list]])
    }
}

extension MediaPlaylist {
    /// With its last segment once more.
    ///
    /// FFmpeg's HLS demuxer decrypts samples of transport streams by the key of what it reads at the moment, where it still has
    /// some of the segment before: at the end of a crypto period it has the wrong one, or none.
    fileprivate var repeatingItsEnd: MediaPlaylist {
        var playlist = self
        playlist.segments += segments.suffix(1)
        return playlist
    }
}
