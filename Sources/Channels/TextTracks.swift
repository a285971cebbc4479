import MediaCore
import Playlists
import Segmenting

/// The tracks of text that a channel makes of an input's tracks.
struct TextTracks {
    /// All tracks, those of text once for each format that subtitles are written in.
    private(set) var tracks: [InputTrack]
    /// The copies of each track of text, by its index.
    private(set) var copies: [InputTrackIndex: [InputTrackIndex]] = [:]
    /// The video whose captions are read, with the tracks of these.
    private(set) var captions: (video: InputTrackIndex, channels: [(channel: CaptionChannel, track: InputTrackIndex)])?

    /// The first index of caption tracks, beyond those of `Ingest`.
    private static let firstCaptionIndex = 1 << 20
    private static let formatStep = 1 << 22

    /// - Parameters:
    ///   - tracks: The tracks of one input.
    ///   - configuration: The configuration of the channel.
    init(of tracks: [InputTrack], _ configuration: ChannelEngine.Configuration) {
        self.tracks = tracks.filter { !$0.kind.isSparse }
        var text = tracks.filter(\.kind.isSparse)
        let wanted = configuration.feedSubtitles.captions
        // Encoders write the same captions into all rungs.
        let video = tracks.filter { $0.kind == .video && configuration.carriage.verdict(on: $0).isCarried }.first
        if let video, !wanted.isEmpty {
            let described = wanted.enumerated().map { place, channel in
                let declared = configuration.captions.first { $0.instreamID == "\(channel)" }
                var track = InputTrack(
                    index: InputTrackIndex(Self.firstCaptionIndex + place),
                    kind: .text(.webVTT),
                    codec: .text(.webVTT),
                    language: declared?.language
                )
                track.program = video.program
                track.service = .captions(channel)
                track.name = declared?.name
                track.isForHearingImpaired = true
                return track
            }
            captions = (video.index, Array(zip(wanted, described.map(\.index))))
            text += described
        }
        for (place, format) in configuration.subtitleFormats.enumerated() {
            for track in text {
                var copy = track
                copy.index = InputTrackIndex(track.index.value + place * Self.formatStep)
                (copy.kind, copy.codec) = (.text(format), .text(format))
                self.tracks.append(copy)
                copies[track.index, default: []].append(copy.index)
            }
        }
    }
}
