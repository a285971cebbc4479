import MediaCore

/// Characters in rows, as captions have them on the screen.
struct CaptionScreen: Hashable, Sendable {
    struct Style: Hashable, Sendable {
        var isItalic = false
        var isUnderlined = false
        /// One of ``CueText/colors``; nil for white.
        var color: String?
    }

    struct Cell: Hashable, Sendable {
        var character: Character
        var style: Style
    }

    let columnCount: Int
    /// From the top; nil where nothing was written.
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
    /// - Parameter range: Those that roll; what is above them goes.
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

    /// Moves all that is there so that what was in one row is in another.
    mutating func move(row: Int, to other: Int) {
        let distance = other - row
        let before = rows
        for place in rows.indices {
            rows[place] = before.indices.contains(place - distance) ? before[place - distance] : []
        }
    }

    /// Nil where there is nothing to be seen.
    var cue: CueContent? {
        guard let top = written.first, let bottom = written.last else { return nil }
        return CueContent(text: text, settings: settings(top: top, bottom: bottom))
    }

    /// WebVTT cue text; rows in which nothing is to be seen are left out.
    var text: String { written.map { Self.cueText(of: rows[$0]) }.joined(separator: "\n") }

    private var written: [Int] {
        rows.indices.filter { rows[$0].contains { $0.map { $0.character != " " } ?? false } }
    }

    /// Where it is, unless that is where players show it anyway: at the bottom, in the middle.
    private func settings(top: Int, bottom: Int) -> String {
        var settings: [String] = []
        // The safe area is the middle 80 % of the picture (CTA-608 § 7.1).
        if bottom < rows.count - rows.count / 4 { settings.append("line:\(10 + top * 80 / rows.count)%") }
        let spans = written.compactMap { row -> ClosedRange<Int>? in
            let places = rows[row].indices.filter { rows[row][$0].map { $0.character != " " } ?? false }
            return places.first.flatMap { first in places.last.map { first...$0 } }
        }
        let isCentred = spans.allSatisfy { abs($0.lowerBound - (columnCount - 1 - $0.upperBound)) <= columnCount / 8 }
        if !isCentred, let left = spans.map(\.lowerBound).min() {
            settings.append("position:\(10 + left * 80 / columnCount)%,line-left align:start")
        }
        return settings.joined(separator: " ")
    }

    private static func cueText(of row: [Cell?]) -> String {
        let blank = Cell(character: " ", style: Style())
        var cells = row.map { $0 ?? blank }
        while cells.last?.character == " " { cells.removeLast() }
        cells = Array(cells.drop { $0.character == " " })
        var text = ""
        var rest = cells[...]
        while let style = rest.first(where: { $0.character != " " })?.style {
            // Spaces belong to what is before them.
            let end = rest.firstIndex { $0.character != " " && $0.style != style } ?? rest.endIndex
            text += style.marking(String(rest[..<end].map(\.character)).escapingMarkup)
            rest = rest[end...]
        }
        return text
    }
}

extension CaptionScreen.Style {
    fileprivate func marking(_ text: String) -> String {
        let tags = [color.map { ("c.\($0)", "c") }, isItalic ? ("i", "i") : nil, isUnderlined ? ("u", "u") : nil]
        return tags.compactMap(\.self).reduce(text) { "<\($1.0)>\($0)</\($1.1)>" }
    }
}
