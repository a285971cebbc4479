/// Names a rendition in URLs: `video-1080p`, `audio-en`.
package struct RenditionID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Letters, digits, `-`, `_` and `.` only: it stands in paths as it is.
    package var name: String

    package init(_ name: String) {
        self.name = name
    }

    package init(stringLiteral name: String) {
        self.init(name)
    }

    package var description: String { name }
}
