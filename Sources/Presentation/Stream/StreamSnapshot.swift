package import MediaCore
import Playlists

/// A snapshot of the contents of a channel at one place of its stream.
package struct StreamSnapshot: Sendable {
    /// The newest publication that is in it.
    package let position: StreamPosition
    /// The listed window.
    package let window: SavedWindow
    /// Slots that are no longer listed and still served, oldest first.
    let retained: [ListedSlot]
    /// The playlists; nil if they are behind the window: then they come with the next publication of playlists.
    package let playlists: PlaylistsPublication?
    /// The time at which the newest slot ends on the grid, in UTC; nil if nothing is listed.
    package let end: MediaTime?
    /// Gets the bytes that a path names when they are wanted; nil if it names nothing any more.
    package let body: @Sendable (String) -> Body?

    /// All files of segments and initialization sections that are served, each path once.
    package var files: [SavedWindow.File] { SavedWindow.files(of: retained + window.window.slots) }

    /// The oldest slot that is served, or the next one that can be.
    package var oldestServed: MediaSequenceNumber? {
        retained.first?.number ?? window.window.first?.number ?? window.lastNumber?.next
    }
}
