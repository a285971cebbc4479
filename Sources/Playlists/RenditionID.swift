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

    /// Names the pictures of a rendition that need no others, in the path of their playlist.
    package var iFrames: RenditionID { RenditionID("\(name)-iframes") }

    package var description: String { name }
}
