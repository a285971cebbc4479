package import FoundationEssentials
package import Logging

/// A line of a log.
package struct LogLine: Sendable {
    /// The time of the message.
    package var time: Date
    package var level: Logger.Level
    package var message: String
    /// Variables by name, in the order in which they are written.
    package var fields: [(name: String, value: String)]
    /// The names of the variables that are numbers.
    package var numbers: Set<String>

    package init(
        _ level: Logger.Level,
        _ message: String,
        _ fields: [(name: String, value: String)] = [],
        numbers: Set<String> = [],
        at time: Date = .now
    ) {
        (self.time, self.level, self.message) = (time, level, message)
        (self.fields, self.numbers) = (fields, numbers)
    }

    /// The text, without a line break at its end, and with none inside.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - isTimed: True if a text says when, and how severe it is: a reader may know both already.
    /// - Returns: One line.
    package func text(_ format: LogFormat, isTimed: Bool = true) -> String {
        let time = self.time.formatted(Self.time)
        switch format {
        case .text:
            return fields.reduce(into: isTimed ? "\(time) \(level) \(message)" : message) { line, field in
                line += " \(field.name)=\(Self.quoted(field.value))"
            }
        case .json:
            let head = [("time", time), ("level", "\(level)"), ("message", message)]
            // The line's own fields have these names; a variable of the same name would hide one.
            let taken = Set(head.map(\.0))
            let members = fields.map { name, value in
                let isNumber = numbers.contains(name)
                return (
                    taken.contains(name) ? "\(name)_" : name, isNumber ? .number(value) : JSONLine.Value.text(value)
                )
            }
            return JSONLine.text(head.map { ($0.0, .text($0.1)) } + members)
        }
    }

    /// UTC as ISO 8601 with milliseconds.
    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Returns the text, in quotation marks if its end would not be clear.
    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return text }
        // Swift escapes apostrophes, too, which double quotation marks do not need.
        return text.debugDescription.replacing("\\'", with: "'")
    }
}
