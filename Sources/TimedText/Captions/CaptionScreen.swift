import MediaCore

/// Characters in rows, as captions have them on the screen.
struct CaptionScreen: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        var character: Character
        var style: CueText.Style
    }

    let columnCount: Int
    /// The rows from the top; nil if nothing was written.
    private(set) var rows: [[Cell?]]

    init(rows: Int, columns: Int) {
        columnCount = columns
        self.rows = Array(repeating: [], count: rows)
    }

    var isEmpty: Bool { rows.allSatisfy { $0.allSatisfy { $0 == nil } } }

    subscript(row: Int, column: Int) -> Cell? {
        get { rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : nil }
        set {
            guard rows.indices.contains(row), 0..<columnCount ~= column else { return }
            while rows[row].count <= column { rows[row].append(nil) }
            rows[row][column] = newValue
        }
    }

    mutating func erase() { for row in rows.indices { rows[row] = [] } }

    mutating func erase(row: Int, from column: Int = 0) {
        if rows.indices.contains(row) { rows[row] = Array(rows[row].prefix(column)) }
    }

    /// Moves rows up by one; the lowest is empty then.
    ///
    /// - Parameter range: The rows that roll; the top one is dropped.
    mutating func roll(_ range: ClosedRange<Int>) {
        let range = range.clamped(to: 0...rows.count - 1)
        for row in rows.indices {
            if row < range.lowerBound {
                rows[row] = []
            } else if row < range.upperBound, range.contains(row) {
                rows[row] = rows[row + 1]
            }
        }
        rows[range.upperBound] = []
    }

    /// Moves the whole text by the distance of two rows.
    mutating func move(row: Int, to other: Int) {
        let distance = other - row
        let before = rows
        for place in rows.indices {
            rows[place] = before.indices.contains(place - distance) ? before[place - distance] : []
        }
    }

    /// The visible text as a cue; nil if there is none.
    var cue: CueContent? {
        let spans = self.spans
        guard let top = spans.first?.row, let bottom = spans.last?.row else { return nil }
        var settings: [String] = []
        // The safe area is the middle 80 % of the picture (CTA-608 § 7.1). At the bottom, in the middle, is where
        // players show it anyway.
        if bottom < rows.count - rows.count / 4 { settings.append("line:\(10 + top * 80 / rows.count)%") }
        let isCentred = spans.allSatisfy { _, columns in
            abs(columns.lowerBound - (columnCount - 1 - columns.upperBound)) <= columnCount / 8
        }
        if !isCentred, let left = spans.map(\.columns.lowerBound).min() {
            settings.append("position:\(10 + left * 80 / columnCount)%,line-left align:start")
        }
        return CueContent(text: text, settings: settings.joined(separator: " "))
    }

    /// WebVTT cue text; rows in which nothing is to be seen are left out.
    var text: String { spans.map { Self.cueText(of: rows[$0.row][$0.columns]) }.joined(separator: "\n") }

    /// The columns that have characters, in rows that have any, but for spaces at their ends.
    private var spans: [(row: Int, columns: ClosedRange<Int>)] {
        rows.indices.compactMap { row in
            let isSeen = { (cell: Cell?) in cell.map { $0.character != " " } ?? false }
            guard let first = rows[row].firstIndex(where: isSeen), let last = rows[row].lastIndex(where: isSeen) else {
                return nil
            }
            return (row, first...last)
        }
    }

    /// Empty places are spaces, and spaces belong to the text before them.
    private static func cueText(of cells: ArraySlice<Cell?>) -> String {
        var text = CueText()
        var style = CueText.Style()
        for cell in cells {
            if let cell, cell.character != " " { style = cell.style }
            text.append(String(cell?.character ?? " "), style)
        }
        return text.markup
    }
}
