/// The paths of a journal's files.
struct JournalPaths: Hashable, Sendable {
    /// `DIR/NAME`.
    var directory: String

    var lock: String { "\(directory)/lock" }
    var media: String { "\(directory)/media" }

    func journal(_ index: Int) -> String { "\(directory)/journal-\(index)" }

    /// The path of the bytes that a line of a playlist names.
    func media(_ path: String) -> String { "\(media)/\(path)" }
}
