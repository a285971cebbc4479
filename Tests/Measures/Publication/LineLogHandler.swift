import Logging
import Operations

/// Writes lines as the product does, each with more than a pipe holds after a few.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        LineWriter.standardError.write("\(event.message)" + String(repeating: ".", count: 20_000))
    }
}
