/// Lines that wait for a reader: a bounded number of them, and the number of lost ones.
struct LineQueue: Sendable {
    /// Bytes of lines that wait.
    private let capacity: Int
    private var lines = ""
    private var lineCount = 0
    private var lostCount = 0
    /// The text that shall stand below the last line, and the text that stands there.
    private var progress = ""
    private var shownProgress = ""

    /// The text of one write.
    struct Batch: Hashable, Sendable {
        var text: String
        /// The lines in it, and those that it reports as lost.
        fileprivate var lineCount: Int
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes a line up, or counts it as lost.
    ///
    /// - Parameters:
    ///   - line: Without a line break at its end.
    ///   - count: The lines that it is, which are taken or lost together.
    ///   - isExpendable: True if it must leave room for lines that matter more.
    mutating func append(_ line: String, count: Int = 1, isExpendable: Bool) {
        let room = isExpendable ? capacity / 2 : capacity
        guard lines.utf8.count + line.utf8.count < room else { return lostCount += count }
        lineCount += count
        lines += line
        lines += "\n"
    }

    /// Replaces the progress line, of which only the newest is of interest.
    mutating func show(progress text: String) {
        progress = text
    }

    /// Counts lines that were taken and could not be written.
    mutating func lost(_ batch: Batch) {
        lostCount += batch.lineCount
    }

    /// Takes all waiting lines.
    ///
    /// - Parameter lossNotice: Returns a line with the number of lost lines; nil for none.
    /// - Returns: The text to write now; nil if there is none.
    mutating func take(lossNotice: (Int) -> String?) -> Batch? {
        if lostCount > 0, let notice = lossNotice(lostCount) { lines += notice + "\n" }
        guard !lines.isEmpty || progress != shownProgress else { return nil }
        let clear = shownProgress.isEmpty ? "" : "\r\u{1B}[K"
        defer {
            (lines, lineCount, lostCount) = ("", 0, 0)
            shownProgress = progress
        }
        return Batch(text: clear + lines + progress, lineCount: lineCount + lostCount)
    }
}
