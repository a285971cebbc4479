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

    /// In version 1 each change has all keys; since version 2 those that are not as they were.
    package static let currentVersion = 2
    /// The versions that can be read.
    static let readableVersions = 1...currentVersion

    package init(generation: Int, configuration: [String: String], window: SavedWindow) {
        self.generation = generation
        self.configuration = configuration
        self.window = window
    }
}
