package import Logging

/// Writes one line an event to standard error: time, level, message, variables.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()
    private let format: LogFormat

    package init(format: LogFormat = .text) {
        self.format = format
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let fields = all.sorted { $0.key < $1.key }.map { (name: $0.key, value: "\($0.value)") }
        let numbers = all.filter { if case .stringConvertible(let value) = $0.value { value is Int } else { false } }
        let line = LogLine(event.level, "\(event.message)", fields, numbers: Set(numbers.keys))
        LineWriter.standardError.write(line, format)
    }
}
