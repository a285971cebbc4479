import MediaCore
package import NIOCore
import Presentation

/// A file of the player page, compiled into the program.
package struct PlayerFile: Sendable {
    package var contentType: String
    package var body: ByteBuffer
    package var entityTag: String

    /// What `/` and `/NAME/` answer with.
    package static let page = PlayerFile("text/html; charset=utf-8", PackageResources.index_html)

    /// The files that the page names, by their names.
    package static let files: [Substring: PlayerFile] = [
        "icon.svg": PlayerFile("image/svg+xml", PackageResources.icon_svg),
        "player.css": PlayerFile("text/css; charset=utf-8", PackageResources.player_css),
        "boxes.js": script(PackageResources.boxes_js),
        "channels.js": script(PackageResources.channels_js),
        "clear-keys.js": script(PackageResources.clear_keys_js),
        "codecs.js": script(PackageResources.codecs_js),
        "date-ranges.js": script(PackageResources.date_ranges_js),
        "id3.js": script(PackageResources.id3_js),
        "identity-keys.js": script(PackageResources.identity_keys_js),
        "key-schedule.js": script(PackageResources.key_schedule_js),
        "metadata.js": script(PackageResources.metadata_js),
        "native-track.js": script(PackageResources.native_track_js),
        "network.js": script(PackageResources.network_js),
        "page.js": script(PackageResources.page_js),
        "player.js": script(PackageResources.player_js),
        "playhead.js": script(PackageResources.playhead_js),
        "playlist.js": script(PackageResources.playlist_js),
        "problems.js": script(PackageResources.problems_js),
        "quality.js": script(PackageResources.quality_js),
        "rendition.js": script(PackageResources.rendition_js),
        "source-queue.js": script(PackageResources.source_queue_js),
        "strip.js": script(PackageResources.strip_js),
        "subtitles.js": script(PackageResources.subtitles_js),
        "timeline.js": script(PackageResources.timeline_js),
        "track-set.js": script(PackageResources.track_set_js),
        "track.js": script(PackageResources.track_js),
    ]

    package static func isPublished(_ name: Substring) -> Bool {
        files[name] != nil
    }

    private init(_ contentType: String, _ bytes: [UInt8]) {
        self.contentType = contentType
        body = ByteBuffer(bytes: bytes)
        entityTag = "\"\(ContentHash(of: body))\""
    }

    private static func script(_ bytes: [UInt8]) -> PlayerFile {
        // HTML § 4.12.1: a module is refused under any type but JavaScript's.
        PlayerFile("text/javascript; charset=utf-8", bytes)
    }
}
