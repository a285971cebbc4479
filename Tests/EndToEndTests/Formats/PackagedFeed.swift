import Foundation
import MediaCore
import Playlists
import TestSupport

/// All of a feed of some seconds as a packager publishes it, and what players make of it.
final class PackagedFeed: Sendable {
    /// A media playlist by its name in the multivariant playlist.
    struct Rendition: Sendable {
        var uri: String
        var playlist: MediaPlaylist
    }

    let packager: PackagerProcess
    let multivariant: MultivariantPlaylist
    private let renditions: [String: MediaPlaylist]
    private let directory: TemporaryDirectory

    /// Packages it to its end.
    ///
    /// - Parameters:
    ///   - feeds: Which together make the channel.
    ///   - format: What is made of them.
    ///   - transcoding: Which audio is made into AAC.
    ///   - options: Others of the packager.
    /// - Throws: ``NotInTime`` if not all playlists end.
    init(
        _ feeds: [FeedRecipe],
        as format: SegmentFormat,
        transcoding: String = "none",
        options: [String] = []
    ) async throws {
        var arguments = ["--no-realtime", "--segment-duration", "2", "--window", "60"] + format.options + options
        arguments += ["--audio-transcode", transcoding]
        directory = try TemporaryDirectory()
        if format.encryption != .none {
            // The same keys each time: what a judge gets wrong about some ciphertext is not left to chance.
            let secret = try directory.write(String(repeating: "5", count: 64), to: "secret")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
            arguments += ["--key-secret", secret]
        }
        for feed in feeds { arguments += ["--input", try await FeedStore.shared.file(feed)] }
        let packager = try await PackagerProcess(arguments)
        let found = try await eventually(within: 20, "all playlists end") {
            guard packager.program.isRunning else { return PackagerProcess.Found?.none }
            return try await packager.endedPlaylists()
        }
        (self.packager, multivariant, renditions) = (packager, found.multivariant, found.media)
    }

    /// Media playlists of pictures, the smallest bit rate first as listed.
    var videos: [Rendition] { named(multivariant.variants.filter { $0.resolution != nil }.map(\.uri)) }

    /// Media playlists of audio; where there is no picture, the variants themselves.
    var audios: [Rendition] {
        let alone = multivariant.variants.filter { $0.resolution == nil }.map(\.uri)
        return named(multivariant.renditions.compactMap(\.uri) + alone)
    }

    /// The tracks of one kind, each with its media playlist and its stream in FFmpeg's words.
    ///
    /// Audio without a playlist of its own is in that of the picture.
    func tracks(_ kind: FormatMatrix.Codec.Kind) -> [(rendition: Rendition, stream: String)] {
        switch kind {
        case .video: videos.map { ($0, "v:0") }
        case .audio: (audios.isEmpty ? videosWithAudio : audios).map { ($0, "a:0") }
        }
    }

    private var videosWithAudio: [Rendition] {
        let variants = multivariant.variants.filter { $0.audioGroup == nil && $0.codecs.count > 1 }
        return named(variants.prefix(1).map(\.uri))
    }

    private func named(_ uris: [String]) -> [Rendition] {
        var seen: Set<String> = []
        return uris.filter { seen.insert($0).inserted }.compactMap { uri in
            renditions[uri].map { Rendition(uri: uri, playlist: $0) }
        }
    }

    /// Decodes a rendition, run by run of one key and one initialization section.
    ///
    /// - Parameters:
    ///   - rendition: Which one.
    ///   - stream: Its stream in FFmpeg's words.
    ///   - generation: Which FFmpeg.
    /// - Returns: The frames, with the times that movie fragments tell where there are any.
    /// - Throws: What FFmpeg finds wrong.
    func decoded(
        _ rendition: Rendition,
        _ stream: String = "v:0",
        by generation: FFmpegGeneration = .five
    ) async throws -> [DecodedFrame] {
        try await runs(rendition) { try await Frames.decoded($0, stream, by: generation) }
    }

    /// The same without decoding.
    func coded(
        _ rendition: Rendition,
        _ stream: String,
        filter: String = "null",
        by generation: FFmpegGeneration = .five
    ) async throws -> [DecodedFrame] {
        try await runs(rendition) { try await Frames.coded($0, stream, filter: filter, by: generation) }
    }

    /// Its runs of one key and one initialization section, with absolute URIs.
    func periods(of rendition: Rendition) -> [MediaPlaylist] {
        rendition.playlist.periods(base: packager.url("").dropLast().description)
    }

    /// Reads run by run of one key and one initialization section.
    private func runs(
        _ rendition: Rendition,
        read: ([String]) async throws -> [DecodedFrame]
    ) async throws -> [DecodedFrame] {
        let periods = periods(of: rendition)
        var frames: [DecodedFrame] = []
        for period in periods {
            // A run of its own also where it is all, but then as the packager writes it.
            let file = try directory.write(period.render(), to: "\(UUID().uuidString).m3u8")
            var input = playlistOptions + [periods.count > 1 ? file : packager.url(rendition.uri)]
            if period.segments.first?.keys.first?.method == .sampleAESCounterMode {
                // FFmpeg's HLS demuxer does not know it, its MP4 demuxer does.
                input = try await EncryptedFile(of: period, in: directory).input
            }
            let found = try await read(input)
            let times = try await times(of: period)
            frames +=
                times.count == found.count
                ? zip(times, found).map { DecodedFrame(time: $0, checksum: $1.checksum) } : found
        }
        return frames
    }

    /// The times in the movie fragments of a run, where they can be read.
    private func times(of period: MediaPlaylist) async throws -> [Int64] {
        guard let map = period.segments[0].map, period.segments[0].keys.first?.method != .aes128 else { return [] }
        let initialization = try await HTTP.body(map.uri)
        var media: [Data] = []
        for segment in period.segments { media.append(try await HTTP.body(segment.uri)) }
        return FragmentTimes.presentation(initialization: initialization, segments: media)
    }
}

extension PackagerProcess {
    typealias Found = (multivariant: MultivariantPlaylist, media: [String: MediaPlaylist])

    /// The multivariant playlist and all that it names; nil as long as one of them continues.
    fileprivate func endedPlaylists() async throws -> Found? {
        let multivariant = try MultivariantPlaylist(parsing: try await text("index.m3u8"))
        var media: [String: MediaPlaylist] = [:]
        let frames = multivariant.iFrameVariants.map(\.uri)
        for uri in multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri) + frames {
            let playlist = try MediaPlaylist(parsing: try await text(uri))
            guard playlist.isEnded else { return nil }
            media[uri] = playlist
        }
        return (multivariant, media)
    }
}
