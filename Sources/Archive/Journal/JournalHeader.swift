package import Presentation

/// The first record of a journal's file: everything until now.
package struct JournalHeader: Codable, Hashable, Sendable {
    /// The version of the format.
    package var version = currentVersion
    /// The generation: one more than that of the other file when this one was begun.
    package var generation: Int
    /// The settings of the channel that the window depends on.
    package var configuration: [String: String]
    /// The window when the file was begun.
    package var window: SavedWindow
    /// The published parts of its newest slots, and of the slots after it; nil if there were none.
    ///
    /// Only journals of channels with parts have it, and lines of parts. Their configuration has the duration of
    /// parts, so a version without parts does not take them over.
    package var parts: SavedParts?

    private enum CodingKeys: String, CodingKey {
        case version, generation, configuration, window
        // The first version with parts saved those of slots that were not over, and no others.
        case parts = "open"
    }

    /// The version that is written.
    ///
    /// In version 1 each change has all keys, since version 2 only those that differ.
    package static let currentVersion = 2
    /// The versions that can be read.
    static let readableVersions = 1...currentVersion

    package init(generation: Int, configuration: [String: String], window: SavedWindow, parts: SavedParts? = nil) {
        self.generation = generation
        self.configuration = configuration
        self.window = window
        self.parts = parts
    }
}
