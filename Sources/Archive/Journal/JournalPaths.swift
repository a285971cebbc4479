/// Where the files of a journal are.
struct JournalPaths: Hashable, Sendable {
    /// `DIR/NAME`.
    var directory: String

    var lock: String { "\(directory)/lock" }
    var media: String { "\(directory)/media" }

    func journal(_ index: Int) -> String { "\(directory)/journal-\(index)" }

    /// Where the bytes are that a line of a playlist names.
    func media(_ path: String) -> String { "\(media)/\(path)" }
}
