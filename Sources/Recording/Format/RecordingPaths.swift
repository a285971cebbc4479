import Playlists

/// The paths of a recording's files.
struct RecordingPaths: Hashable, Sendable {
    /// The directory of the channel's recording.
    let directory: String

    var lock: String { "\(directory)/lock" }
    var document: String { "\(directory)/recording.json" }

    func directory(of block: BlockNumber) -> String { "\(directory)/\(block)" }
    func index(of block: BlockNumber) -> String { "\(directory)/\(block)/index" }
    func lines(of block: BlockNumber) -> String { "\(directory)/\(block)/lines" }
    func media(of id: RenditionID, in block: BlockNumber) -> String { "\(directory)/\(block)/\(id).media" }

    /// The file of an initialization section, which blocks share.
    func initialization(_ path: MediaPath) -> String { "\(directory)/init/\(path.description)" }
}
