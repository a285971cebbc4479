/// A message of a library that reads feeds.
package struct LibraryLine: Hashable, Sendable {
    package enum Severity: Hashable, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    /// The component of the library: `mpegts`, `h264`, `srt`.
    package var source: String
    /// The text, without a line break.
    package var text: String

    package init(_ severity: Severity, _ source: String, _ text: String) {
        (self.severity, self.source, self.text) = (severity, source, text)
    }
}
