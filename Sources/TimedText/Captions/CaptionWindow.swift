/// One of a service's eight windows (CTA-708 § 8.4).
struct CaptionWindow: Hashable, Sendable {
    var isVisible: Bool
    /// The place of its fixed point, from the top, in per cent of the height.
    var top: Int
    private(set) var screen: CaptionScreen
    var style = CueText.Style()
    private var row = 0
    private var column = 0

    private static let (mostRows, mostColumns) = (16, 64)

    /// - Parameter parameters: The six of DefineWindow (§ 8.10.5.2).
    init(defining parameters: [UInt8]) {
        isVisible = parameters[0] & 0x20 != 0
        screen = CaptionScreen(rows: Int(parameters[3] & 0xF) + 1, columns: Int(parameters[4] & 0x3F) + 1)
        top = 0
        place(parameters)
    }

    /// Defines it again; its text stays if the size is the same.
    mutating func redefine(_ parameters: [UInt8]) {
        isVisible = parameters[0] & 0x20 != 0
        let (rows, columns) = (Int(parameters[3] & 0xF) + 1, Int(parameters[4] & 0x3F) + 1)
        if rows != screen.rows.count || columns != screen.columnCount {
            screen = CaptionScreen(rows: rows, columns: columns)
            (row, column) = (0, 0)
        }
        place(parameters)
    }

    private mutating func place(_ parameters: [UInt8]) {
        let isRelative = parameters[1] & 0x80 != 0
        let anchor = Int(parameters[1] & 0x7F)
        top = min(isRelative ? anchor : anchor * 100 / 75, 100)
        // The anchor is one of nine points: its upper, middle or lower edge.
        if (3...5).contains(parameters[3] >> 4) { top -= screen.rows.count * 3 }
        if (6...8).contains(parameters[3] >> 4) { top -= screen.rows.count * 6 }
        top = max(top, 0)
    }

    mutating func clear() {
        screen.erase()
        (row, column) = (0, 0)
    }

    /// SetPenLocation.
    mutating func move(row: Int, column: Int) {
        self.row = min(row, screen.rows.count - 1)
        self.column = min(column, screen.columnCount - 1)
    }

    mutating func write(_ character: Character) {
        // Text is not wrapped: characters beyond the last column are lost.
        guard column < screen.columnCount else { return }
        screen[row, column] = CaptionScreen.Cell(character: character, style: style)
        column += 1
    }

    /// Goes back over the last character.
    mutating func erasePrevious() {
        guard column > 0 else { return }
        column -= 1
        screen[row, column] = nil
    }

    /// Goes to the beginning of the row, and erases it.
    mutating func eraseRow() {
        screen.erase(row: row)
        column = 0
    }

    /// Goes to the next row; below the last one all rows move up.
    mutating func breakLine() {
        column = 0
        guard row + 1 >= screen.rows.count else {
            row += 1
            return
        }
        screen.roll(0...screen.rows.count - 1)
    }
}
