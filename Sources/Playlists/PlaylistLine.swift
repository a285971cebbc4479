import MediaCore

/// A line of a playlist that is neither blank nor a comment (RFC 8216bis § 4.1).
struct PlaylistLine {
    /// Counted from 1.
    var number: Int
    var content: Content

    enum Content {
        /// The name without `#`, and the text behind its colon.
        case tag(name: String, value: Substring)
        case uri(String)

        /// The variable that the line defines.
        var variable: PlaylistVariable? {
            guard case .tag("EXT-X-DEFINE", let value) = self else { return nil }
            return AttributeList(parsing: value).flatMap(PlaylistVariable.init)
        }
    }

    /// The lines below EXTM3U, with the variables filled in whose values are known.
    ///
    /// - Parameters:
    ///   - text: A playlist.
    ///   - given: The values of other variables.
    /// - Returns: The lines, in order.
    /// - Throws: ``PlaylistParsingError`` if it is not a playlist, or its variables have too much text.
    static func lines(of text: String, given: [String: String]) throws(PlaylistParsingError) -> [PlaylistLine] {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        guard lines.first == "#EXTM3U" else { throw PlaylistParsingError(line: 1, reason: .notAPlaylist) }
        var values: [String: String] = [:]
        var room = mostFilled
        var found: [PlaylistLine] = []
        for (number, line) in zip(2..., lines.dropFirst()) {
            var line = line
            if !values.isEmpty {
                guard let filled = values.filling(line, &room) else {
                    throw PlaylistParsingError(line: number, reason: .malformed(tag: "EXT-X-DEFINE"))
                }
                line = filled
            }
            guard let content = Content(line) else { continue }
            if let variable = content.variable { values.merge(given.values(of: [variable])) { first, _ in first } }
            found.append(PlaylistLine(number: number, content: content))
        }
        return found
    }

    /// The most bytes of all filled values: a variable may consist of others, each twice as long as the last.
    private static let mostFilled = 64 << 20

    /// The greatest number that is read, so that counting on from it does not overflow.
    static let greatestNumber = 1 << 53

    /// Reads a tag's value as a non-negative number.
    ///
    /// - Parameters:
    ///   - value: The text behind the colon.
    ///   - tag: The name of the tag, for errors.
    ///   - limit: The greatest number that is accepted.
    /// - Returns: The number; nil if the text is malformed.
    /// - Throws: ``PlaylistParsingError`` if it is beyond the limit.
    func count(
        _ value: Substring,
        of tag: String,
        upTo limit: Int = Self.greatestNumber
    ) throws(PlaylistParsingError) -> Int? {
        guard let number = Int(value), number >= 0 else { return nil }
        guard number <= limit else { throw error(.tooLarge(tag: tag)) }
        return number
    }

    func error(_ reason: PlaylistParsingError.Reason) -> PlaylistParsingError {
        PlaylistParsingError(line: number, reason: reason)
    }
}

extension PlaylistLine.Content {
    fileprivate init?(_ line: Substring) {
        var scanner = TextScanner(line)
        guard !scanner.isAtEnd else { return nil }
        guard scanner.skip("#") else {
            self = .uri(String(line))
            return
        }
        let name = scanner.take { $0 != UInt8(ascii: ":") }
        guard name.utf8.starts(with: "EXT".utf8) else { return nil }
        _ = scanner.skip(":")
        self = .tag(name: String(name), value: Substring(scanner.rest))
    }
}
