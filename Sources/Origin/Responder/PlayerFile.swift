package import Pages

/// The files of the player page.
package enum PlayerFile {
    /// What `/` and `/NAME/` answer with.
    package static let page = PageFile.html(PackageResources.index_html)

    /// The files that the page names, by their names.
    package static let files: [Substring: PageFile] = [
        "icon.svg": .icon,
        "look.css": .look,
        "player.css": .style(PackageResources.player_css),
        "adts.js": .script(PackageResources.adts_js),
        "boxes.js": .script(PackageResources.boxes_js),
        "channels.js": .script(PackageResources.channels_js),
        "clear-keys.js": .script(PackageResources.clear_keys_js),
        "codecs.js": .script(PackageResources.codecs_js),
        "date-ranges.js": .script(PackageResources.date_ranges_js),
        "fragment.js": .script(PackageResources.fragment_js),
        "id3.js": .script(PackageResources.id3_js),
        "identity-keys.js": .script(PackageResources.identity_keys_js),
        "key-schedule.js": .script(PackageResources.key_schedule_js),
        "keyboard.js": .script(PackageResources.keyboard_js),
        "metadata.js": .script(PackageResources.metadata_js),
        "moments.js": .script(PackageResources.moments_js),
        "native-track.js": .script(PackageResources.native_track_js),
        "network.js": .script(PackageResources.network_js),
        "on-air.js": .script(PackageResources.on_air_js),
        "page.js": .script(PackageResources.page_js),
        "player.js": .script(PackageResources.player_js),
        "playhead.js": .script(PackageResources.playhead_js),
        "playlist.js": .script(PackageResources.playlist_js),
        "problems.js": .script(PackageResources.problems_js),
        "quality.js": .script(PackageResources.quality_js),
        "rendition.js": .script(PackageResources.rendition_js),
        "source-queue.js": .script(PackageResources.source_queue_js),
        "strip.js": .script(PackageResources.strip_js),
        "subtitles.js": .script(PackageResources.subtitles_js),
        "timeline.js": .script(PackageResources.timeline_js),
        "track-set.js": .script(PackageResources.track_set_js),
        "track.js": .script(PackageResources.track_js),
        "transmux.js": .script(PackageResources.transmux_js),
        "transport-stream.js": .script(PackageResources.transport_stream_js),
    ]

    package static func isPublished(_ name: Substring) -> Bool {
        files[name] != nil
    }
}
