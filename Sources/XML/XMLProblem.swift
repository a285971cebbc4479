/// The reason why a document is not read.
package struct XMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1 on; nil if it is the document as a whole.
    package let line: Int?
    package let message: String

    init(_ message: String, line: Int? = nil) {
        self.line = line
        self.message = message
    }

    package var place: String { line.map { "line \($0)" } ?? "document" }
    package var description: String { line == nil ? message : "\(place): \(message)" }
}
