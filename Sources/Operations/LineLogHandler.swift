package import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes one plain line an event to standard error: time, level, message, variables.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()

    package init(label: String) {}

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = Self.line(event.level, "\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            let text = "\(value)"
            line +=
                text.contains(where: { $0.isWhitespace || $0 == "\"" })
                // Swift escapes apostrophes, too, which are none of a quotation mark's business.
                ? " \(key)=\(text.debugDescription.replacing("\\'", with: "'"))" : " \(key)=\(text)"
        }
        LineWriter.standardError.write(line, isExpendable: event.level <= .info)
    }

    /// What a line begins with.
    static func line(_ level: Logger.Level, _ message: String) -> String {
        "\(Date.now.formatted(time)) \(level) \(message)"
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
