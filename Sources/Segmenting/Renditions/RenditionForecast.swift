package import MediaCore
package import Playlists

/// A forecast of a channel's renditions.
package enum RenditionForecast {
    /// Names the renditions of a channel that has one input with these tracks, all of them in fragmented MP4.
    ///
    /// - Parameter tracks: The tracks that are carried, each with the configuration of its media; nil if there was
    ///   none.
    /// - Returns: One name for each track; nil for a track that has had no media. Text has its rendition before its
    ///   first cue.
    package static func names(
        of tracks: [(track: InputTrack, configuration: CodecConfiguration?)]
    ) -> [RenditionID?] {
        RenditionPlan.names(
            of: tracks.map { RenditionPlan($0.track) },
            configurations: tracks.map { track, configuration in
                if case .text(let format) = track.kind { configuration ?? .text(format) } else { configuration }
            },
            existing: tracks.map { _ in nil }
        )
    }
}
