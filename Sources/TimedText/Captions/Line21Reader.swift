package import MediaCore

/// Reads one of the four caption channels of CEA-608, as a decoder shows it (CTA-608 § 7, § 8, Annex C).
///
/// Pop-on captions come up and go as a whole; those that roll up or are painted on come up as they are written, twice a
/// second at most.
package struct Line21Reader: CaptionReader {
    private enum Mode {
        case popOn, paintOn
        /// Lines roll up, with so many rows.
        case rollUp(Int)
        /// No mode yet, or text that is no caption.
        case none
    }

    private static let (rowCount, columnCount) = (15, 32)
    /// The time for which text that is written as it is shown waits for more, in 90 kHz ticks.
    private static let pace = MediaTime.timescale / 2

    private let channel: Int
    private var mode = Mode.none
    private var isOurs = false
    private var shown = Self.blank
    private var hidden = Self.blank
    private var row = Self.rowCount - 1
    private var column = 0
    private var style = CueText.Style()
    /// The control code before, which is sent twice (§ 8.4).
    private var previous: (UInt8, UInt8)?
    private var screen: ScreenText
    /// The time since which something was written that is not shown yet.
    private var changed: Int64?
    private let modulus: Int64?

    private static let blank = CaptionScreen(rows: rowCount, columns: columnCount)

    /// - Parameters:
    ///   - channel: 1 to 4.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    package init(channel: Int, modulus: Int64?) {
        self.channel = channel
        self.modulus = modulus
        screen = ScreenText(modulus: modulus)
    }

    package mutating func read(_ triplets: [CaptionTriplet], at time: Int64) -> [FeedCue] {
        var cues = screen.reached(time)
        let field: CaptionTriplet.Kind = channel <= 2 ? .field1 : .field2
        for triplet in triplets where triplet.kind == field {
            cues += read(triplet.first, triplet.second, at: time)
        }
        if let changed, Timestamps.distance(from: changed, to: time, modulus: modulus) >= Self.pace {
            cues += show(at: time)
        }
        return cues
    }

    private mutating func show(at time: Int64) -> [FeedCue] {
        changed = nil
        return screen.show(shown.cue, at: time)
    }

    private mutating func read(_ first: UInt8, _ second: UInt8, at time: Int64) -> [FeedCue] {
        // CTA-608 § 4.2: bytes have odd parity; a character that has not is shown as a block, a code is left out.
        let isOdd = (first.nonzeroBitCount % 2 == 1, second.nonzeroBitCount % 2 == 1)
        let (code, data) = (first & 0x7F, second & 0x7F)
        if 0x10...0x1F ~= code {
            guard isOdd.0, isOdd.1 else { return [] }
            defer { previous = previous.map { $0 == (code, data) } ?? false ? nil : (code, data) }
            if let previous, previous == (code, data) { return [] }
            isOurs = (code & 8 != 0) == (channel % 2 == 0)
            guard isOurs else { return [] }
            return control(code & ~8, data, at: time)
        }
        if (0x01...0x0F).contains(code) {
            // Extended data services take the field over (§ 9), until a caption code comes.
            if channel > 2 { isOurs = false }
            return []
        }
        previous = nil
        guard isOurs else { return [] }
        if code >= 0x20 { write(isOdd.0 ? Line21Characters.basic(code) : "█", at: time) }
        if data >= 0x20, code >= 0x20 { write(isOdd.1 ? Line21Characters.basic(data) : "█", at: time) }
        return []
    }

    /// Takes a control code, without the bit for the channel of a field.
    private mutating func control(_ code: UInt8, _ data: UInt8, at time: Int64) -> [FeedCue] {
        switch (code, data) {
        case (0x11, 0x30...0x3F): write(Line21Characters.special(data), at: time)
        case (0x11, 0x20...0x2F): midrow(data, at: time)
        case (0x12, 0x20...0x3F), (0x13, 0x20...0x3F):
            guard let character = Line21Characters.extended(set: code & 3, data) else { break }
            column = max(column - 1, 0)
            write(character, at: time)
        case (0x14, 0x20...0x2F), (0x15, 0x20...0x2F): return command(data, at: time)
        case (0x17, 0x21...0x23): column = min(column + Int(data & 3), Self.columnCount - 1)
        case (_, 0x40...0x7F): address(code, data)
        default: break
        }
        return []
    }

    /// Miscellaneous control codes (§ 8.4).
    private mutating func command(_ data: UInt8, at time: Int64) -> [FeedCue] {
        switch data {
        case 0x20: mode = .popOn
        case 0x21:
            column = max(column - 1, 0)
            erase(from: column, count: 1, at: time)
        case 0x24: erase(from: column, count: Self.columnCount, at: time)
        case 0x25...0x27:
            let isRolling = if case .rollUp = mode { true } else { false }
            mode = .rollUp(Int(data) - 0x23)
            // The text of another mode is removed.
            guard !isRolling else { break }
            (row, column, style) = (Self.rowCount - 1, 0, CueText.Style())
            guard !shown.isEmpty else { break }
            shown.erase()
            return show(at: time)
        case 0x29: mode = .paintOn
        case 0x2A, 0x2B: mode = .none
        case 0x2C:
            shown.erase()
            return show(at: time)
        case 0x2D:
            guard case .rollUp(let count) = mode else { break }
            var cues: [FeedCue] = []
            if changed != nil { cues += show(at: time) }
            shown.roll(max(row - count + 1, 0)...row)
            (column, style) = (0, CueText.Style())
            // A rolled row is shown with the next text.
            changed = changed ?? time
            return cues
        case 0x2E: hidden.erase()
        case 0x2F:
            mode = .popOn
            swap(&shown, &hidden)
            return show(at: time)
        default: break
        }
        return []
    }

    /// Preamble address codes: where the next character is (§ 8.2).
    private mutating func address(_ code: UInt8, _ data: UInt8) {
        // By code and the bit above the style; of 10 only one row.
        let rows: [UInt8: (Int, Int)] = [
            0x11: (1, 2), 0x12: (3, 4), 0x15: (5, 6), 0x16: (7, 8), 0x17: (9, 10), 0x10: (11, 11), 0x13: (12, 13),
            0x14: (14, 15),
        ]
        guard let pair = rows[code] else { return }
        let target = (data & 0x20 == 0 ? pair.0 : pair.1) - 1
        if case .rollUp = mode, target != row { shown.move(row: row, to: target) }
        row = target
        let look = data >> 1 & 0xF
        style = CueText.Style(isUnderlined: data & 1 == 1)
        column = 0
        if look >= 8 {
            column = Int(look - 8) * 4
        } else if look == 7 {
            style.isItalic = true
        } else {
            style.color = Self.colors[Int(look)]
        }
    }

    private static let colors: [String?] = [nil, "lime", "blue", "cyan", "red", "yellow", "magenta"]

    /// Takes a mid-row code: a space, and the style of the following text (§ 8.3).
    private mutating func midrow(_ data: UInt8, at time: Int64) {
        let look = Int(data >> 1 & 7)
        style = CueText.Style(isItalic: look == 7, isUnderlined: data & 1 == 1)
        if look < 7 { style.color = Self.colors[look] }
        write(" ", at: time)
    }

    /// Writes a character, or leaves its place open.
    private mutating func write(_ character: Character?, at time: Int64) {
        if case .none = mode { return }
        let (row, column) = (row, column)
        let cell = character.map { CaptionScreen.Cell(character: $0, style: style) }
        change(at: time) { $0[row, column] = cell }
        // Characters beyond the last column overwrite it.
        self.column = min(column + 1, Self.columnCount - 1)
    }

    private mutating func erase(from column: Int, count: Int, at time: Int64) {
        let row = row
        change(at: time) { screen in
            for place in column..<min(column + count, Self.columnCount) { screen[row, place] = nil }
        }
    }

    /// Changes the screen that is written on: the hidden one, or the visible one.
    private mutating func change(at time: Int64, _ change: (inout CaptionScreen) -> Void) {
        switch mode {
        case .none: return
        case .popOn: change(&hidden)
        case .paintOn, .rollUp:
            change(&shown)
            changed = changed ?? time
        }
    }
}
